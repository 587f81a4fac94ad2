#include <splatwright/render/kinds/blobs.h>

#include <algorithm>
#include <cmath>

#include <splatwright/core/error.h>
#include <splatwright/render/kinds/blended.h>
#include <splatwright/scene/pictures/flat_gaussians.h>
#include <splatwright/shared/frame.h>
#include "kernels/flatten_blobs.h"
#include "kernels/project_blobs.h"

namespace splat {

namespace {

/// Lower Cholesky factor (xx, yx, yy) of a covariance.
glm::dvec3 factorOf(const glm::dvec3& covariance) {
    const double xx = std::sqrt(covariance.x), yx = covariance.y / xx;
    return {xx, yx, std::sqrt(covariance.z - yx * yx)};
}

bool isFinite(const glm::vec3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

void append(Blobs& blobs, const DrawnBlob& drawn) {
    // Blobs that are nowhere visible on the picture are left out.
    if (!(drawn.opacity >= shared::kMinAlpha)) return;
    const double reach = 2 * std::log(drawn.opacity / shared::kMinAlpha);
    const glm::dvec2 extent = glm::sqrt(reach * glm::dvec2(drawn.covariance.x, drawn.covariance.z)), size(blobs.width, blobs.height);
    const bool isOnPicture =
        glm::all(glm::greaterThanEqual(drawn.centre + extent, glm::dvec2(0))) && glm::all(glm::lessThanEqual(drawn.centre - extent, size));
    if (!isOnPicture) return;
    const glm::vec3 factor = factorOf(drawn.covariance), colour = drawn.colour;
    const glm::vec2 centre = drawn.centre;
    if (!isFinite(factor) || !isFinite(colour) || !isFinite({centre, drawn.opacity}) || !(factor.x > 0 && factor.z > 0)) return;
    blobs.centres.push_back(centre);
    blobs.factors.push_back(factor);
    blobs.colours.push_back(colour);
    blobs.opacities.push_back(static_cast<float>(drawn.opacity));
}

}  // namespace

Gaussians storedBlobs(const Blobs& blobs) {
    Gaussians stored;
    stored.resize(blobs.count(), 0);
    for (size_t i = 0; i < blobs.count(); ++i) {
        const glm::vec3 factor = blobs.factors[i];
        if (!(factor.x > 0 && factor.z > 0))
            throw InputError("blob {}: factor is ({}, {}, {}), expected xx and yy above 0", i, factor.x, factor.y, factor.z);
        stored.means[i] = {blobs.centres[i], 0};
        stored.logScales[i] = {std::log(factor.x), factor.y / factor.x, std::log(factor.z)};
        stored.sh[i] = blobs.colours[i];
        stored.logitOpacities[i] = logitOf(blobs.opacities[i]);
    }
    return stored;
}

ModelKind kindOf(const Blobs& blobs) {
    return {.row = &modelKindByName("free"), .size = {blobs.width, blobs.height}, .summed = blobs.summed};
}

Camera pictureCamera(glm::uvec2 size, glm::uvec2 image) {
    return {.width = static_cast<int>(image.x),
            .height = static_cast<int>(image.y),
            .fx = static_cast<double>(image.x) / size.x,
            .fy = static_cast<double>(image.y) / size.y};
}

Blobs downloadBlobs(gpu::Device& device, const GaussianModel& model, glm::vec3 background) {
    SPLAT_CHECK(model.kind.row->drawnBlob, "a model of kind '{}' has no blobs", model.kind.row->name);
    const Gaussians stored = model.download(device, 0);
    const glm::uvec2 size(model.kind.size);
    Blobs blobs{.width = size.x, .height = size.y, .summed = model.kind.summed, .background = background};
    for (size_t i = 0; i < stored.count(); ++i) append(blobs, model.kind.row->drawnBlob(stored, i, model.kind));
    return blobs;
}

bool blobsHave(Attribute attribute) { return attribute != Attribute::shRest && attribute != Attribute::rotations; }

void recordBlobProjection(gpu::Commands& c, const PictureJob& job) {
    c.dispatchIndirect(withBlobs(withProjection(kernels::project_blobs{}, job), job.model), job.frame.perGaussian);
}

void recordFlattening(gpu::Commands& c, const ModelCopy& copy) {
    const kernels::flatten_blobs kernel{
        .first = copy.first, .count = copy.count, .depth = static_cast<float>(kFlatDepth), .thickness = static_cast<float>(kFlatThickness)};
    c.dispatch(withModel(withBlobs(kernel, copy.from), copy.to), copy.count);
}

std::optional<GaussianModel> stagedBlobs(gpu::Device& device, const Gaussians& numbers, const ModelKind& kind) {
    std::optional<GaussianModel> model(std::in_place, device, static_cast<uint32_t>(numbers.count()), kind);
    model->upload(device, numbers);
    return model;
}

/// Of flatGaussians(): the larger side is 2 units long.
Extent pictureExtent(const Gaussians&, const ModelKind& kind) {
    return {.radius = std::hypot(kind.size.x, kind.size.y) / std::max(kind.size.x, kind.size.y)};
}

}  // namespace splat
