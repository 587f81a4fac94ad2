#pragma once

#include <splatwright/render/model.h>
#include <splatwright/scene/cameras/camera.h>
#include <splatwright/scene/pictures/blobs.h>

/// A picture's blobs in the buffers of Gaussians, so that store, moments, growth and checkpoints treat both alike. The first two numbers of a mean
/// are the centre, log scales are the shape, SH of degree 0 is the colour; all else is unused (shaders/lib/fit2d/blob.slang).
namespace splat {

/// Blobs as they are stored for BlobKind::free. Throws InputError for a factor whose diagonal is not above 0.
Gaussians storedBlobs(const Blobs& blobs);

/// How blobs of a file are drawn: their covariances are whole.
BlobRules rulesOf(const Blobs& blobs);

/// The camera that shows the whole picture in an image of this size.
Camera cameraOf(const Blobs& blobs, glm::uvec2 size);

/// The blobs of a model that its picture shows: those that are finite and touch it.
Blobs downloadBlobs(gpu::Device& device, const GaussianModel& model, glm::vec3 background);

/// Sets the kernel's members for a picture's buffers, and for its rules if it has them.
template <class Kernel>
Kernel withBlobs(Kernel kernel, const GaussianModel& model) {
    kernel.centres = model[Attribute::means];
    kernel.shapes = model[Attribute::logScales];
    kernel.blobColours = model[Attribute::sh0];
    kernel.opacities = model[Attribute::logitOpacities];
    if constexpr (requires { kernel.picture; }) kernel.picture = model.blobs->size;
    if constexpr (requires { kernel.dilation; }) kernel.dilation = model.blobs->dilation;
    if constexpr (requires { kernel.kKind; }) kernel.kKind = static_cast<uint32_t>(model.blobs->kind);
    return kernel;
}

}  // namespace splat
