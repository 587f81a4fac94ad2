#include <cstring>

#include <zlib.h>

#include <splatwright/train/evaluate/lpips_weights.h>
#include "memory_file.h"

namespace {

/// Puts the right checksum and length into the prefix, if there is one: else no change would get past it.
void mend(std::string& file) {
    constexpr size_t kPrefix = 24, kCrc = 12, kLength = 16;
    if (file.size() < kPrefix) return;
    const uint64_t length = file.size() - kPrefix;
    const auto crc = static_cast<uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(file.data() + kPrefix), length));
    std::memcpy(&file[kCrc], &crc, sizeof crc);
    std::memcpy(&file[kLength], &length, sizeof length);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    std::string file(reinterpret_cast<const char*>(data), size);
    mend(file);
    return splat::fuzz::readInput(reinterpret_cast<const uint8_t*>(file.data()), size, splat::readLpipsWeights);
}
