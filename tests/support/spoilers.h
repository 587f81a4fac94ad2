#pragma once

#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <splatwright/scene/gaussians/attributes.h>

namespace splat {

/// A way to make a Gaussian that can be neither drawn nor trained.
struct Spoiler {
    std::string name;
    std::function<void(Gaussians&, size_t)> spoil;
};

/// NaN and both infinities in each word of a Gaussian of degree 3 (of several planes in the first, one amid and the last), a covariance that
/// overflows, and no rotation.
inline std::vector<Spoiler> spoilers() {
    std::vector<Spoiler> all;
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    for (const AttributeRow& row : kAttributes) {
        for (const uint32_t plane : std::set<uint32_t>{0, row.planes / 2, row.planes - 1}) {
            for (uint32_t word = 0; word < row.words; ++word) {
                for (const float value : {std::numeric_limits<float>::quiet_NaN(), kInfinity, -kInfinity}) {
                    const auto spoil = [=, &row](Gaussians& g, size_t i) {
                        const HostPlane<float> host = hostPlane(g, row, plane);
                        host.first[i * host.stride + word] = value;
                    };
                    all.push_back({fmt::format("{} {} {} {}", row.section, plane, word, value), spoil});
                }
            }
        }
    }
    all.push_back({"infinite covariance", [](Gaussians& g, size_t i) { g.logScales[i].y = 50; }});
    all.push_back({"no rotation", [](Gaussians& g, size_t i) { g.rotations[i] = glm::vec4(0); }});
    return all;
}

/// The model with a copy of its first gaussian, spoilt each way, before and after its own.
inline Gaussians withSpoilt(const Gaussians& g) {
    const std::vector<Spoiler> ways = spoilers();
    const size_t count = g.count() + 2 * ways.size();
    Gaussians out;
    out.resize(count, g.shDegree);
    out.antialiased = g.antialiased;
    for (size_t i = 0; i < count; ++i) {
        const bool own = i >= ways.size() && i < ways.size() + g.count();
        const size_t from = own ? i - ways.size() : 0;
        copyGaussian(out, i, g, from);
        if (!own) ways[i < ways.size() ? i : i - ways.size() - g.count()].spoil(out, i);
    }
    return out;
}

}  // namespace splat
