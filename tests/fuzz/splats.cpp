#include <splatwright/scene/formats/formats.h>
#include "memory_file.h"

// One harness per row of the format table: SPLAT_FUZZ_FORMAT is its name.
namespace splat {
extern const SplatFormat SPLAT_FUZZ_FORMAT;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    return splat::fuzz::readInput(data, size, [](const std::filesystem::path& path) { splat::SPLAT_FUZZ_FORMAT.read(path); });
}
