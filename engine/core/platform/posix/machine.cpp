#include <splatwright/core/platform/machine.h>

#include <sys/utsname.h>
#include <unistd.h>
#include <array>
#include <cctype>
#include <filesystem>
#include <sstream>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>

namespace splat::platform {

namespace {

/// The file's content without trailing white space; empty if it cannot be read, for example because the process has ended.
std::string textOf(const std::string& path) {
    try {
        std::string text = readTextFile(path);
        while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.pop_back();
        return text;
    } catch (const InputError&) {
        return {};
    }
}

}  // namespace

int64_t thisProcess() { return getpid(); }

std::optional<uint64_t> startOfProcess(int64_t id) {
    const std::string text = textOf(fmt::format("/proc/{}/stat", id));
    const size_t name = text.rfind(')');  // end of the name, which may contain any character
    if (name == std::string::npos) return std::nullopt;
    std::istringstream fields(text.substr(name + 1));
    std::string state, field;
    fields >> state;
    if (state == "Z" || state == "X") return std::nullopt;  // ended, but not yet reaped by its parent
    constexpr int kFromStateToStart = 18;                   // fields between them, proc(5)
    for (int i = 0; i < kFromStateToStart; ++i) fields >> field;
    uint64_t started = 0;  // clock ticks after boot
    return fields >> started ? std::optional(started) : std::nullopt;
}

std::string hostName() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    return name.data();
}

std::string bootId() { return textOf("/proc/sys/kernel/random/boot_id"); }

std::string processorName() {
    utsname system{};
    uname(&system);
    std::string name = system.machine;
    std::istringstream lines(textOf("/proc/cpuinfo"));
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("model name")) name = line.substr(line.find(':') + 2);
    }
    return name;
}

std::string systemName() {
    utsname system{};
    uname(&system);
    return fmt::format("{} {}", system.sysname, system.release);
}

uint64_t physicalMemory() { return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE)); }

bool hasCudaDriver() {
    std::error_code ignored;
    return std::filesystem::exists("/dev/nvidiactl", ignored) || std::filesystem::exists("/dev/dxg", ignored);  // the second: WSL
}

}  // namespace splat::platform
