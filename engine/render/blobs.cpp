#include <splatwright/render/blobs.h>

#include <algorithm>
#include <cmath>

#include <splatwright/core/error.h>
#include <splatwright/shared/frame.h>

namespace splat {

namespace {

/// A blob as it is drawn, in pixels of the picture.
struct DrawnBlob {
    glm::dvec2 centre;
    glm::dvec3 covariance;  ///< (xx, xy, yy)
    glm::dvec3 colour;
    double opacity;
};

double smoothed(double parameter) {
    const double x = std::clamp(parameter, 0.0, 1.0);
    return x * x * (3 - 2 * x);
}

DrawnBlob freeBlob(const Gaussians& g, size_t i, const BlobRules& rules) {
    const double xx = std::exp(double{g.logScales[i].x}), yx = xx * double{g.logScales[i].y}, yy = std::exp(double{g.logScales[i].z});
    const double dilation = rules.dilation;
    return {.centre = {g.means[i].x, g.means[i].y},
            .covariance = {xx * xx + dilation, xx * yx, yx * yx + yy * yy + dilation},
            .colour = g.sh[i],
            .opacity = 1 / (1 + std::exp(-double{g.logitOpacities[i]}))};
}

DrawnBlob demoBlob(const Gaussians& g, size_t i, const BlobRules& rules) {
    const glm::dvec3 shape = g.logScales[i], colour = 0.8 * glm::dvec3(g.sh[i]);
    const glm::dvec2 size = rules.size;
    const auto variance = [&](double parameter, double side) { return (smoothed(0.8 * parameter) + 0.005) * 1e-4 * side * side; };
    const double x = variance(shape.x, size.x), y = variance(shape.y, size.y);
    return {.centre = {smoothed(g.means[i].x) * size.x, smoothed(g.means[i].y) * size.y},
            .covariance = {x, std::sqrt(x * y) * (smoothed(0.6 * shape.z) - 0.5) * 1.65, y},
            .colour = {smoothed(colour.x), smoothed(colour.y), smoothed(colour.z)},
            .opacity = smoothed(0.9 * double{g.logitOpacities[i]} + 0.1)};
}

/// Lower Cholesky factor (xx, yx, yy) of a covariance.
glm::dvec3 factorOf(const glm::dvec3& covariance) {
    const double xx = std::sqrt(covariance.x), yx = covariance.y / xx;
    return {xx, yx, std::sqrt(covariance.z - yx * yx)};
}

bool isFinite(const glm::vec3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

/// Whether the blob is visible anywhere on the picture.
bool isOnPicture(const DrawnBlob& drawn, const Blobs& blobs) {
    if (!(drawn.opacity >= shared::kMinAlpha)) return false;
    const double reach = 2 * std::log(drawn.opacity / shared::kMinAlpha);
    const glm::dvec2 extent = glm::sqrt(reach * glm::dvec2(drawn.covariance.x, drawn.covariance.z)), size(blobs.width, blobs.height);
    return glm::all(glm::greaterThanEqual(drawn.centre + extent, glm::dvec2(0))) &&
           glm::all(glm::lessThanEqual(drawn.centre - extent, size));
}

void append(Blobs& blobs, const DrawnBlob& drawn) {
    if (!isOnPicture(drawn, blobs)) return;
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

BlobRules rulesOf(const Blobs& blobs) { return {.size = {blobs.width, blobs.height}, .summed = blobs.summed}; }

Camera cameraOf(const Blobs& blobs, glm::uvec2 size) {
    return {.width = static_cast<int>(size.x),
            .height = static_cast<int>(size.y),
            .fx = static_cast<double>(size.x) / blobs.width,
            .fy = static_cast<double>(size.y) / blobs.height};
}

Blobs downloadBlobs(gpu::Device& device, const GaussianModel& model, glm::vec3 background) {
    SPLAT_CHECK(model.blobs.has_value(), "the model has no blobs");
    const Gaussians stored = model.download(device, 0);
    const glm::uvec2 size(model.blobs->size);
    Blobs blobs{.width = size.x, .height = size.y, .summed = model.blobs->summed, .background = background};
    const bool demo = model.blobs->kind == BlobKind::demo;
    for (size_t i = 0; i < stored.count(); ++i) append(blobs, demo ? demoBlob(stored, i, *model.blobs) : freeBlob(stored, i, *model.blobs));
    return blobs;
}

}  // namespace splat
