#include <splatwright/scene/pictures/flat_gaussians.h>

#include <algorithm>
#include <cmath>

#include <splatwright/scene/formats/quantised.h>

namespace splat {

Gaussians flatGaussians(const Blobs& blobs) {
    const double unitsPerPixel = 2.0 / std::max(blobs.width, blobs.height);
    const double step = kFlatDepth / static_cast<double>(std::max<size_t>(blobs.count(), 2) - 1);
    const glm::dvec2 middle = glm::dvec2(blobs.width, blobs.height) / 2.0;
    Gaussians gaussians;
    gaussians.resize(blobs.count(), 0);
    for (size_t i = 0; i < blobs.count(); ++i) {
        // The covariance's axes: standard deviations in pixels, and the angle of the larger one, from x to y.
        const glm::dvec3 factor(blobs.factors[i]);
        const double xx = factor.x * factor.x, xy = factor.x * factor.y, yy = factor.y * factor.y + factor.z * factor.z;
        const double larger = std::sqrt((xx + yy) / 2 + std::hypot((xx - yy) / 2, xy));
        // From the determinant, because the difference of the two terms has no digits left for needles.
        const double smaller = factor.x * factor.z / larger;
        const double angle = std::atan2(2 * xy, xx - yy) / 2;
        const glm::dvec2 centre = (glm::dvec2(blobs.centres[i]) - middle) * unitsPerPixel;
        gaussians.means[i] = glm::dvec3(centre, step * static_cast<double>(i) - kFlatDepth / 2);
        gaussians.rotations[i] = glm::dvec4(std::cos(angle / 2), 0, 0, std::sin(angle / 2));
        gaussians.logScales[i] = glm::log(glm::dvec3(larger, smaller, kFlatThickness * smaller)) + std::log(unitsPerPixel);
        gaussians.logitOpacities[i] = logitOf(blobs.opacities[i]);
        gaussians.sh[i] = dcOfColour(blobs.colours[i]);
    }
    return gaussians;
}

}  // namespace splat
