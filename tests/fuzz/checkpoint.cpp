#include <cstring>

#include <zlib.h>

#include <splatwright/train/checkpoint/checkpoint.h>
#include "memory_file.h"

namespace {

using namespace splat;

/// Puts the right checksum over prefix and header, where there is room for them: else no change would get past it.
void mend(std::string& file) {
    constexpr size_t kPrefix = 32, kLength = 16, kCrc = 24;
    uint64_t length = 0;
    if (file.size() < kPrefix) return;
    std::memcpy(&length, &file[kLength], sizeof length);
    if (length > file.size() - kPrefix) return;
    std::memset(&file[kCrc], 0, sizeof(uint32_t));
    const auto crc = static_cast<uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(file.data()), kPrefix + length));
    std::memcpy(&file[kCrc], &crc, sizeof crc);
}

void readAndUse(const std::filesystem::path& path) {
    const Checkpoint checkpoint = readCheckpoint(path);
    checkpoint.value<uint32_t>("step");
    checkpoint.value<std::vector<uint32_t>>("resumed_from");
    checkpoint.value<nlohmann::json>("settings");
    checkpoint.section("means", 12);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    std::string file(reinterpret_cast<const char*>(data), size);
    mend(file);
    return fuzz::readInput(reinterpret_cast<const uint8_t*>(file.data()), size, readAndUse);
}
