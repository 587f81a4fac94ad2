#include <splatwright/scene/datasets/companions.h>
#include <splatwright/scene/images/masks.h>
#include "memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    return splat::fuzz::readInput(data, size, [](const std::filesystem::path& path) {
        splat::readMask(path, splat::readCompanionHeader(path, {.width = 40, .height = 30}));
    });
}
