#pragma once

#include <glm/glm.hpp>

namespace splat::prepare {

/// p becomes scale * rotation * p + translation.
struct Similarity {
    glm::dmat3 rotation{1};
    double scale = 1;
    glm::dvec3 translation{0};

    glm::dvec3 operator()(const glm::dvec3& p) const { return scale * (rotation * p) + translation; }
};

}  // namespace splat::prepare
