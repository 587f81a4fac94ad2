#include <splatwright/scene/formats/axes.h>

#include <array>

namespace splat {

void flipAxes(Gaussians& gaussians, glm::vec3 signs) {
    const float x = signs.x, y = signs.y, z = signs.z;
    const glm::vec4 rotation(1, y * z, x * z, x * y);
    // Odd basis functions of a flipped axis change sign.
    const std::array<float, shCoefficients(kMaxShDegree)> basis{1, y, z, x, x * y, y * z, 1, x * z, 1, y, x * y * z, y, z, x, z, x};
    const size_t coefficients = shCoefficients(gaussians.shDegree);
    for (size_t i = 0; i < gaussians.count(); ++i) {
        gaussians.means[i] *= signs;
        gaussians.rotations[i] *= rotation;
        for (size_t k = 1; k < coefficients; ++k) gaussians.sh[i * coefficients + k] *= basis[k];
    }
}

}  // namespace splat
