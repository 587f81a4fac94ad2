#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/pictures/blob_file.h>
#include <splatwright/scene/pictures/flat_gaussians.h>

namespace splat {
namespace {

Gaussians read(const std::filesystem::path& path) { return flatGaussians(readBlobs(path)); }

bool recognises(std::string_view head) { return head.starts_with(std::string_view(kBlobSignature.data(), kBlobSignature.size())); }

}  // namespace

extern const SplatFormat kBlobsFormat{
    .name = ".blobs",
    .extension = ".blobs",
    .help = "a fitted picture, as flat splats before the origin",
    .recognises = recognises,
    .read = read,
};

}  // namespace splat
