#include <concepts>

#include <splatwright/scene/datasets/colmap_files.h>
#include <splatwright/scene/photographs/undistort.h>
#include "memory_file.h"

// One harness per encoding and file: SPLAT_FUZZ_READ is the function of a ColmapEncoding, SPLAT_FUZZ_ENCODING the encoding.

namespace splat::fuzz {
namespace {

/// Undistorts a picture of every camera that is small enough to be quick; other files are only read.
template <class Content>
void use(const Content& content) {
    constexpr int kSmall = 64;
    if constexpr (std::same_as<Content, ColmapCameras>) {
        for (const auto& entry : content) {
            const auto& [camera, distortion] = entry.second;
            if (camera.width > kSmall || camera.height > kSmall) continue;
            const Camera target = undistortedCamera(camera, distortion);
            undistortImage(ImageF(camera.width, camera.height, 1), camera, distortion, target);
        }
    }
}

}  // namespace
}  // namespace splat::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    return splat::fuzz::readInput(
        data, size, [](const std::filesystem::path& path) { splat::fuzz::use(splat::SPLAT_FUZZ_ENCODING.SPLAT_FUZZ_READ(path)); });
}
