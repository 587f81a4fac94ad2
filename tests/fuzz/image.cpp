#include <splatwright/scene/images/image_file.h>
#include "memory_file.h"

// The same for each codec, whose seeds differ.

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    constexpr uint32_t kMegapixels = 1;  // larger pictures are only slower
    return splat::fuzz::readInput(data, size, [](const std::filesystem::path& path) {
        splat::readOrientation(path);  // first: of pictures that cannot be decoded too
        splat::readShot(path);
        splat::readImage(path, kMegapixels);
    });
}
