#pragma once

#include <cmath>
#include <vector>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include <splatwright/prepare/similarity.h>

namespace splat::test {

/// The similarity that takes points nearest to others in the least-squares sense.
using Alignment = prepare::Similarity;

/// The unit quaternion q = (w, x, y, z) with the largest q^T N q, by power iteration on N with its spectrum shifted above zero.
inline glm::dquat largestOf(const double (&n)[4][4], double shift) {
    double q[4]{0.5, 0.6, 0.4, 0.5};
    for (int step = 0; step < 20'000; ++step) {
        double next[4], length = 0;
        for (int i = 0; i < 4; ++i) {
            next[i] = shift * q[i];
            for (int j = 0; j < 4; ++j) next[i] += n[i][j] * q[j];
            length += next[i] * next[i];
        }
        for (int i = 0; i < 4; ++i) q[i] = next[i] / std::sqrt(length);
    }
    return {q[0], q[1], q[2], q[3]};
}

/// Umeyama's problem (1991) with Horn's solution of the rotation by quaternions (1987).
inline Alignment alignPoints(const std::vector<glm::dvec3>& from, const std::vector<glm::dvec3>& to) {
    glm::dvec3 a(0), b(0);
    const auto count = static_cast<double>(from.size());
    for (size_t i = 0; i < from.size(); ++i) {
        a += from[i] / count;
        b += to[i] / count;
    }
    double s[3][3]{}, spread = 0, norm = 0;
    for (size_t i = 0; i < from.size(); ++i) {
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) s[r][c] += (from[i] - a)[r] * (to[i] - b)[c];
        }
        spread += glm::dot(from[i] - a, from[i] - a);
    }
    for (const auto& row : s) {
        for (const double value : row) norm += std::abs(value);
    }
    const double n[4][4]{{s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]},
                         {s[1][2] - s[2][1], s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]},
                         {s[2][0] - s[0][2], s[0][1] + s[1][0], s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1]},
                         {s[0][1] - s[1][0], s[2][0] + s[0][2], s[1][2] + s[2][1], s[2][2] - s[0][0] - s[1][1]}};
    Alignment alignment{.rotation = glm::mat3_cast(largestOf(n, 2 * norm))};
    double along = 0;
    for (size_t i = 0; i < from.size(); ++i) along += glm::dot(to[i] - b, alignment.rotation * (from[i] - a));
    alignment.scale = along / spread;
    alignment.translation = b - alignment.scale * (alignment.rotation * a);
    return alignment;
}

}  // namespace splat::test
