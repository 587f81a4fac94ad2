#include <splatwright/scene/pictures/blob_file.h>

#include "memory_file.h"

// Whatever is read can be written again.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    return splat::fuzz::readInput(data, size, [](const std::filesystem::path& path) {
        const splat::Blobs blobs = splat::readBlobs(path);
        if (blobs.count() <= 1000) splat::encodeBlobs(blobs, {});  // more take long to compress
    });
}
