#include "reference/model.h"

namespace splat::reference {

Splats fromGaussians(const Gaussians& gaussians) {
    Splats splats;
    splats.shDegree = gaussians.shDegree;
    splats.means.assign(gaussians.means.begin(), gaussians.means.end());
    splats.logScales.assign(gaussians.logScales.begin(), gaussians.logScales.end());
    splats.rotations.assign(gaussians.rotations.begin(), gaussians.rotations.end());
    splats.logitOpacities.assign(gaussians.logitOpacities.begin(), gaussians.logitOpacities.end());
    splats.sh.assign(gaussians.sh.begin(), gaussians.sh.end());
    return splats;
}

Splats zerosLike(const Splats& splats) {
    Splats zeros;
    zeros.shDegree = splats.shDegree;
    zeros.means.assign(splats.means.size(), glm::dvec3(0));
    zeros.rotations.assign(splats.rotations.size(), glm::dvec4(0));
    zeros.logScales.assign(splats.logScales.size(), glm::dvec3(0));
    zeros.logitOpacities.assign(splats.logitOpacities.size(), 0.0);
    zeros.sh.assign(splats.sh.size(), glm::dvec3(0));
    return zeros;
}

}  // namespace splat::reference
