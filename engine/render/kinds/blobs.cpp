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

/// Whether a blob is visible anywhere on the picture.
bool isShown(const Blobs& blobs, size_t i) {
    const glm::vec2 centre = blobs.centres[i];
    const glm::vec3 factor = blobs.factors[i], colour = blobs.colours[i];
    const float opacity = blobs.opacities[i];
    if (!isFinite(factor) || !isFinite(colour) || !isFinite({centre, opacity}) || !(factor.x > 0 && factor.z > 0)) return false;
    if (!(opacity >= shared::kMinAlpha)) return false;
    const double reach = 2 * std::log(static_cast<double>(opacity) / shared::kMinAlpha);
    const glm::dvec2 variance(double{factor.x} * factor.x, double{factor.y} * factor.y + double{factor.z} * factor.z);
    const glm::dvec2 extent = glm::sqrt(reach * variance), size(blobs.width, blobs.height), at(centre);
    return glm::all(glm::greaterThanEqual(at + extent, glm::dvec2(0))) && glm::all(glm::lessThanEqual(at - extent, size));
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

Blobs drawnBlobs(const Gaussians& stored, const ModelKind& kind, glm::vec3 background) {
    SPLAT_CHECK(kind.row->drawnBlob, "a model of kind '{}' has no blobs", kind.row->name);
    const glm::uvec2 size(kind.size);
    Blobs blobs{.width = size.x, .height = size.y, .summed = kind.summed, .background = background};
    blobs.resize(stored.count());
    for (size_t i = 0; i < stored.count(); ++i) {
        const DrawnBlob drawn = kind.row->drawnBlob(stored, i, kind);
        blobs.centres[i] = drawn.centre;
        blobs.factors[i] = factorOf(drawn.covariance);
        blobs.colours[i] = drawn.colour;
        blobs.opacities[i] = static_cast<float>(drawn.opacity);
    }
    return blobs;
}

Blobs shownBlobs(const Blobs& blobs) {
    std::vector<uint32_t> shown;
    for (uint32_t i = 0; i < blobs.count(); ++i)
        if (isShown(blobs, i)) shown.push_back(i);
    return selectedBlobs(blobs, shown);
}

Blobs downloadBlobs(gpu::Device& device, const GaussianModel& model, glm::vec3 background) {
    return shownBlobs(drawnBlobs(model.download(device, 0), model.kind, background));
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
