#include <splatwright/scene/formats/axes.h>

#include <array>

namespace splat {
namespace {

constexpr size_t kCoefficients = shCoefficients(kMaxShDegree);

/// Sign of each basis function under the flip: odd functions of a flipped axis change sign.
std::array<float, kCoefficients> signsOfBasis(glm::vec3 s) {
    const float x = s.x, y = s.y, z = s.z;
    return {1, y, z, x, x * y, y * z, 1, x * z, 1, y, x * y * z, y, z, x, z, x};
}

}  // namespace

void flipAxes(Gaussians& gaussians, glm::vec3 signs) {
    const auto basis = signsOfBasis(signs);
    const glm::vec4 rotation(1, signs.y * signs.z, signs.x * signs.z, signs.x * signs.y);
    const size_t coefficients = shCoefficients(gaussians.shDegree);
    for (size_t i = 0; i < gaussians.count(); ++i) {
        gaussians.means[i] *= signs;
        gaussians.rotations[i] *= rotation;
        for (size_t k = 1; k < coefficients; ++k) gaussians.sh[i * coefficients + k] *= basis[k];
    }
}

}  // namespace splat
