#include <cmath>

#include <splatwright/core/input_file.h>
#include <splatwright/render/kinds/blended.h>
#include <splatwright/render/kinds/blobs.h>
#include <splatwright/scene/datasets/picture.h>
#include <splatwright/scene/pictures/blob_file.h>

namespace splat {

namespace {

DrawnBlob drawnBlob(const Gaussians& g, size_t i, const ModelKind& kind) {
    const double xx = std::exp(double{g.logScales[i].x}), yx = xx * double{g.logScales[i].y}, yy = std::exp(double{g.logScales[i].z});
    const double dilation = kind.dilation;
    return {.centre = {g.means[i].x, g.means[i].y},
            .covariance = {xx * xx + dilation, xx * yx, yx * yx + yy * yy + dilation},
            .colour = g.sh[i],
            .opacity = 1 / (1 + std::exp(-double{g.logitOpacities[i]}))};
}

ModelFile read(const std::filesystem::path& path) {
    const Blobs blobs = readBlobs(path);
    const Camera before = cameraBefore(static_cast<int>(blobs.width), static_cast<int>(blobs.height));
    return {.kind = kindOf(blobs), .numbers = storedBlobs(blobs), .view = ModelFile::View{before, blobs.background}};
}

}  // namespace

/// Blobs of any covariance.
extern const ModelKindRow kFreeBlobsKind{
    .name = "free",
    .picture = true,
    .parameters = shared::kFreeBlobs,
    .order = ListOrder::index,
    .has = blobsHave,
    .recordProjection = recordBlobProjection,
    .recordPicture = recordBlended,
    .recordBackward = recordAccumulation,
    .recordCopy = recordFlattening,
    .staged = stagedBlobs,
    .extent = pictureExtent,
    .drawnBlob = drawnBlob,
    .isFile = [](const std::filesystem::path& path) { return whyNotReadable(path).empty() && isBlobFile(path); },
    .read = read,
};

}  // namespace splat
