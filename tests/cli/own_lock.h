#pragma once

#include <unistd.h>
#include <array>
#include <fstream>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

namespace splat::test {

inline std::string lineOf(const char* path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

inline std::string hostName() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    return name.data();
}

/// The clock tick at which this process started, the 22nd field of proc(5)'s stat.
inline uint64_t ownStart() {
    const std::string stat = lineOf("/proc/self/stat");
    std::istringstream fields(stat.substr(stat.rfind(')') + 1));
    std::string field;
    for (int i = 3; i <= 22; ++i) fields >> field;
    return std::stoull(field);
}

/// The lock file of a run of this process, which tests may change.
inline nlohmann::json ownLock() {
    return {{"pid", getpid()}, {"started", ownStart()}, {"host", hostName()}, {"boot", lineOf("/proc/sys/kernel/random/boot_id")}};
}

}  // namespace splat::test
