#include "memory_file.h"
#include "scene/formats/formats.h"

// One harness per row of the format table: SPLAT_FUZZ_FORMAT is its name.

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    return splat::fuzz::readInput(data, size, [](const std::filesystem::path& path) { splat::SPLAT_FUZZ_FORMAT.read(path); });
}
