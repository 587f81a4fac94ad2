#include "reference/blobs.h"

#include <algorithm>
#include <cmath>

namespace splat::reference {
namespace {

/// Mean and covariance (xx, xy, yy) on the picture.
struct Ellipse {
    glm::dvec2 mean;
    glm::dvec3 covariance;
};

Ellipse freeEllipse(const BlobNumbers& b, const BlobSettings& s) {
    const glm::dmat2 factor(glm::dvec2(std::exp(b[2]), b[3] * std::exp(b[2])),
                            glm::dvec2(0, std::exp(b[4])));  // columns of the lower triangle
    const glm::dmat2 covariance = factor * glm::transpose(factor);
    return {{b[0], b[1]}, {covariance[0][0] + s.dilation, covariance[0][1], covariance[1][1] + s.dilation}};
}

/// The demo's S.
double smoothStep(double p) {
    const double y = std::clamp(p, 0.0, 1.0);
    return 3 * y * y - 2 * y * y * y;
}

Ellipse demoEllipse(const BlobNumbers& b, const BlobSettings& s) {
    const double xx = (smoothStep(0.8 * b[2]) + 0.005) * 1e-4, yy = (smoothStep(0.8 * b[3]) + 0.005) * 1e-4;
    const double xy = std::sqrt(xx * yy) * (smoothStep(0.6 * b[4]) - 0.5) * 1.65;
    return {glm::dvec2(smoothStep(b[0]), smoothStep(b[1])) * s.picture,
            glm::dvec3(xx * s.picture.x * s.picture.x, xy * s.picture.x * s.picture.y, yy * s.picture.y * s.picture.y)};
}

glm::dvec3 colourOf(const BlobNumbers& b, BlobKind kind) {
    if (kind == BlobKind::free) return {b[5], b[6], b[7]};
    return {smoothStep(0.8 * b[5]), smoothStep(0.8 * b[6]), smoothStep(0.8 * b[7])};
}

}  // namespace

Projected projectBlob(const BlobNumbers& b, const BlobSettings& s) {
    const Ellipse e = s.kind == BlobKind::free ? freeEllipse(b, s) : demoEllipse(b, s);
    const glm::dmat2 zoom(s.scale.x, 0, 0, s.scale.y);
    const glm::dmat2 scaled = zoom * glm::dmat2(e.covariance.x, e.covariance.y, e.covariance.y, e.covariance.z) * zoom;
    const glm::dvec2 blur = glm::max(1.0 - s.scale * s.scale, 0.0) / 12.0;  // boxes of a pixel here, less those of the picture's
    const glm::dmat2 covariance = scaled + glm::dmat2(blur.x, 0, 0, blur.y);
    const glm::dmat2 inverse = glm::inverse(covariance);
    const double own = s.kind == BlobKind::free ? sigmoid(b[8]) : smoothStep(0.9 * b[8] + 0.1);
    const double opacity = own * std::sqrt(glm::determinant(scaled) / glm::determinant(covariance));
    const double cutoff = 2 * std::log(opacity / kMinAlpha);
    return {.visible = opacity >= kMinAlpha,
            .mean = e.mean * s.scale + s.offset,
            .conic = {inverse[0][0], inverse[0][1], inverse[1][1]},
            .opacity = opacity,
            .colour = colourOf(b, s.kind),
            .depth = 1,
            .halfExtent = glm::sqrt(glm::dvec2(covariance[0][0], covariance[1][1]) * cutoff)};
}

BlobNumbers blobGradient(const BlobNumbers& blob, const BlobSettings& settings, const ProjectedGradient& by) {
    constexpr double kStep = 1e-6;
    BlobNumbers gradient{};
    for (size_t k = 0; k < blob.size(); ++k) {
        BlobNumbers low = blob, high = blob;
        low[k] -= kStep;
        high[k] += kStep;
        const Projected before = projectBlob(low, settings), after = projectBlob(high, settings);
        const double change = glm::dot(by.mean, after.mean - before.mean) + glm::dot(by.conic, after.conic - before.conic) +
                              by.opacity * (after.opacity - before.opacity) + glm::dot(by.colour, after.colour - before.colour);
        gradient[k] = change / (2 * kStep);
    }
    return gradient;
}

}  // namespace splat::reference
