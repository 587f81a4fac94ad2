#include <splatwright/scene/formats/formats.h>
#include "memory_file.h"

// One harness per row of the format table: SPLAT_FUZZ_FORMAT is its name.
namespace splat {
extern const SplatFormat SPLAT_FUZZ_FORMAT;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const splat::SplatFormat& format = splat::SPLAT_FUZZ_FORMAT;
    splat::fuzz::readInput(data, size, [&](const std::filesystem::path& path) { format.read(path); });
    if (!format.open) return 0;
    return splat::fuzz::readInput(data, size, [&](const std::filesystem::path& path) {
        if (const auto blocks = format.open(path)) splat::readBlocks(*blocks);
    });
}
