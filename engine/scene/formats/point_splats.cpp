#include <splatwright/scene/formats/point_splats.h>

#include <algorithm>
#include <cmath>

#include <splatwright/scene/formats/quantised.h>
#include <splatwright/scene/gaussians/neighbours.h>

namespace splat {
namespace {

constexpr size_t kNeighbours = 3;
constexpr float kMinSquaredDistance = 1e-7f;  // as in the reference trainer, so that duplicates of a point get a size
constexpr float kLonely = 0.1f;               // distance of a missing neighbour

}  // namespace

Gaussians splatsAt(std::vector<glm::vec3> positions, const std::vector<glm::vec3>& colours, const PointSplats& common) {
    std::vector<float> distances = squaredNeighbourDistances(positions, kNeighbours);
    for (float& d : distances) d = std::isinf(d) ? kLonely : std::sqrt(std::max(d, kMinSquaredDistance));
    Gaussians gaussians;
    gaussians.resize(positions.size(), common.shDegree);
    gaussians.means = std::move(positions);
    std::ranges::fill(gaussians.logitOpacities, static_cast<float>(std::log(common.opacity / (1 - common.opacity))));
    const size_t coefficients = shCoefficients(gaussians.shDegree);
    for (size_t i = 0; i < gaussians.count(); ++i) {
        // With a scale of 0 the size is clamped, because 0 has no logarithm.
        const double sigma = std::max(common.scale * static_cast<double>(distances[i]), 1e-7);
        gaussians.logScales[i] = glm::vec3(static_cast<float>(std::log(sigma)));
        gaussians.sh[i * coefficients] = dcOfColour(colours[i]);
    }
    return gaussians;
}

}  // namespace splat
