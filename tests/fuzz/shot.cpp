#include <splatwright/scene/images/image_file.h>
#include "memory_file.h"

/// What is read of a picture of any format before it is decoded.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    return splat::fuzz::readInput(data, size, [](const std::filesystem::path& path) {
        splat::readOrientation(path);
        splat::readShot(path);
        splat::readImageHeader(path);
    });
}
