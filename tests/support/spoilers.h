#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "scene/gaussians.h"

namespace splat {

/// A way to make a gaussian that can be neither drawn nor trained.
struct Spoiler {
    std::string name;
    std::function<void(Gaussians&, size_t)> spoil;
};

/// NaN and both infinities in each number of a gaussian of degree 3, a covariance that overflows, and no rotation.
inline std::vector<Spoiler> spoilers() {
    std::vector<Spoiler> all;
    const auto add = [&](const std::string& name, const std::function<void(Gaussians&, size_t, float)>& set) {
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        for (const float value : {std::numeric_limits<float>::quiet_NaN(), kInfinity, -kInfinity})
            all.push_back({fmt::format("{} {}", name, value), [=](Gaussians& g, size_t i) { set(g, i, value); }});
    };
    for (int k = 0; k < 3; ++k) add(fmt::format("mean {}", k), [=](Gaussians& g, size_t i, float v) { g.means[i][k] = v; });
    for (int k = 0; k < 4; ++k) add(fmt::format("rotation {}", k), [=](Gaussians& g, size_t i, float v) { g.rotations[i][k] = v; });
    for (int k = 0; k < 3; ++k) add(fmt::format("log scale {}", k), [=](Gaussians& g, size_t i, float v) { g.logScales[i][k] = v; });
    add("opacity", [](Gaussians& g, size_t i, float v) { g.logitOpacities[i] = v; });
    for (const size_t c : {0u, 1u, 7u, 15u})
        for (int k = 0; k < 3; ++k) add(fmt::format("sh {} {}", c, k), [=](Gaussians& g, size_t i, float v) { g.sh[16 * i + c][k] = v; });
    all.push_back({"infinite covariance", [](Gaussians& g, size_t i) { g.logScales[i].y = 50; }});
    all.push_back({"no rotation", [](Gaussians& g, size_t i) { g.rotations[i] = glm::vec4(0); }});
    return all;
}

/// The model with a copy of its first gaussian, spoilt each way, before and after its own.
inline Gaussians withSpoilt(const Gaussians& g) {
    const std::vector<Spoiler> ways = spoilers();
    const size_t coefficients = shCoefficients(g.shDegree), count = g.count() + 2 * ways.size();
    Gaussians out;
    out.resize(count, g.shDegree);
    out.antialiased = g.antialiased;
    for (size_t i = 0; i < count; ++i) {
        const bool own = i >= ways.size() && i < ways.size() + g.count();
        const size_t from = own ? i - ways.size() : 0;
        out.means[i] = g.means[from];
        out.rotations[i] = g.rotations[from];
        out.logScales[i] = g.logScales[from];
        out.logitOpacities[i] = g.logitOpacities[from];
        for (size_t k = 0; k < coefficients; ++k) out.sh[i * coefficients + k] = g.sh[from * coefficients + k];
        if (!own) ways[i < ways.size() ? i : i - ways.size() - g.count()].spoil(out, i);
    }
    return out;
}

}  // namespace splat
