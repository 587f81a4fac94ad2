#pragma once

#include <splatwright/render/model.h>
#include <splatwright/scene/pictures/blobs.h>

/// A picture's blobs in the buffers of Gaussians, so that store, moments, growth and checkpoints treat both alike. The first two numbers of a mean
/// are the centre, log scales are the shape, SH of degree 0 is the colour; all else is unused (shaders/lib/fit2d/blob.slang).
namespace splat {

/// A blob as it is drawn, in pixels of the picture.
struct DrawnBlob {
    glm::dvec2 centre;
    glm::dvec3 covariance;  ///< (xx, xy, yy)
    glm::dvec3 colour;
    double opacity;
};

/// Blobs as they are stored by the kind `free`. Throws InputError for a factor whose diagonal is not above 0.
Gaussians storedBlobs(const Blobs& blobs);

/// How blobs of a file are drawn: their covariances are whole.
ModelKind kindOf(const Blobs& blobs);

/// The camera that shows a whole picture of `size` in an image.
Camera pictureCamera(glm::uvec2 size, glm::uvec2 image);

/// All blobs of stored numbers as they are drawn, in their order, which need not be finite.
Blobs drawnBlobs(const Gaussians& stored, const ModelKind& kind, glm::vec3 background);

/// The blobs that their picture shows: those that are finite and touch it.
Blobs shownBlobs(const Blobs& blobs);

/// shownBlobs() of a model.
Blobs downloadBlobs(gpu::Device& device, const GaussianModel& model, glm::vec3 background);

/// Sets the kernel's members for a picture's buffers, and for its kind if it has them.
template <class Kernel>
Kernel withBlobs(Kernel kernel, const GaussianModel& model) {
    kernel.centres = model[Attribute::means];
    kernel.shapes = model[Attribute::logScales];
    kernel.blobColours = model[Attribute::sh0];
    kernel.opacities = model[Attribute::logitOpacities];
    if constexpr (requires { kernel.picture; }) kernel.picture = model.kind.size;
    if constexpr (requires { kernel.dilation; }) kernel.dilation = model.kind.dilation;
    if constexpr (requires { kernel.kKind; }) kernel.kKind = model.kind.row->parameters;
    return kernel;
}

// Members of their rows that kinds of blobs share.
bool blobsHave(Attribute attribute);
void recordBlobProjection(gpu::Commands& commands, const PictureJob& job);
void recordFlattening(gpu::Commands& commands, const ModelCopy& copy);
std::optional<GaussianModel> stagedBlobs(gpu::Device& device, const Gaussians& numbers, const ModelKind& kind);
Extent pictureExtent(const Gaussians& numbers, const ModelKind& kind);

}  // namespace splat
