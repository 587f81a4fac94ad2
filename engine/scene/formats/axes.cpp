#include <splatwright/scene/formats/axes.h>

#include <algorithm>

#include <splatwright/core/threads.h>

namespace splat {

AxisFlip::AxisFlip(glm::vec3 signs) : position(signs) {
    const float x = signs.x, y = signs.y, z = signs.z;
    rotation = {1, y * z, x * z, x * y};
    // Odd basis functions of a flipped axis change sign.
    sh = {1, y, z, x, x * y, y * z, 1, x * z, 1, y, x * y * z, y, z, x, z, x};
}

void flipAxes(Gaussians& gaussians, glm::vec3 signs) {
    constexpr size_t kSlice = 4096;  // splats per thread and step
    const AxisFlip flip(signs);
    const size_t count = gaussians.count(), coefficients = shCoefficients(gaussians.shDegree);
    parallelEach(count, kSlice, [&](size_t i) {
        gaussians.means[i] *= flip.position;
        gaussians.rotations[i] *= flip.rotation;
        for (size_t k = 1; k < coefficients; ++k) gaussians.sh[i * coefficients + k] *= flip.sh[k];
    });
}

}  // namespace splat
