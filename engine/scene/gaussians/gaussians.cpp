#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

void Gaussians::resize(size_t count, int degree) {
    shDegree = degree;
    means.resize(count);
    rotations.resize(count, glm::vec4(1, 0, 0, 0));
    logScales.resize(count);
    logitOpacities.resize(count);
    sh.resize(count * shCoefficients(degree));
}

}  // namespace splat
