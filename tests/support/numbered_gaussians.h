#pragma once

#include <splatwright/scene/gaussians/attributes.h>

namespace splat {

/// A model whose numbers are 1, 2, 3 and so on, array by array: each says where it came from.
inline Gaussians numberedGaussians(size_t count, int degree, float first = 1) {
    Gaussians g;
    g.resize(count, degree);
    float next = first;
    for (auto* values : {&g.means, &g.logScales, &g.sh})
        for (glm::vec3& v : *values)
            for (int k = 0; k < 3; ++k) v[k] = next++;
    for (glm::vec4& v : g.rotations)
        for (int k = 0; k < 4; ++k) v[k] = next++;
    for (float& v : g.logitOpacities) v = next++;
    return g;
}

}  // namespace splat
