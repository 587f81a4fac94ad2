#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <splatwright/view/render_modes.h>
#include "reference/render.h"

namespace splat {

using Words = std::vector<uint32_t>;

/// R | G << 8 | B << 16 | 255 << 24, rounded as `render` rounds: a product in single precision may be half a step where one in double is not.
template <class T>
uint32_t pixelWord(const glm::vec<3, T>& colour) {
    uint32_t word = 255u << 24u;
    for (int k = 0; k < 3; ++k) {
        const T clamped = colour[k] > 0 ? std::min(colour[k], T(1)) : T(0);
        word |= static_cast<uint32_t>(std::lround(clamped * T(255))) << static_cast<uint32_t>(8 * k);
    }
    return word;
}

inline glm::ivec3 channelsOf(uint32_t word) { return {word & 255u, word >> 8u & 255u, word >> 16u & 255u}; }

/// Gaussians [begin, end) of a model.
inline Gaussians part(const Gaussians& g, size_t begin, size_t end) {
    const auto cut = [&](const auto& values, size_t each) {
        return std::decay_t<decltype(values)>(values.begin() + static_cast<std::ptrdiff_t>(begin * each),
                                              values.begin() + static_cast<std::ptrdiff_t>(end * each));
    };
    return {.shDegree = g.shDegree,
            .antialiased = g.antialiased,
            .means = cut(g.means, 1),
            .rotations = cut(g.rotations, 1),
            .logScales = cut(g.logScales, 1),
            .logitOpacities = cut(g.logitOpacities, 1),
            .sh = cut(g.sh, shCoefficients(g.shDegree))};
}

/// A pixel of a reference picture. Where single precision may decide otherwise, any colour is right.
struct Expected {
    glm::dvec3 colour{0};
    bool open = false;
    double share = 0;  ///< of the splats in it; of surfaces 1 or 0
};

/// What a picture is made of.
struct Ingredients {
    const Gaussians& gaussians;
    const Camera& camera;
    const RenderSettings& settings;
    std::vector<reference::Projected> projected;
    std::vector<size_t> order;
    std::vector<double> gradients;
    glm::dvec3 tint{0};     ///< of the model
    bool selected = false;  ///< all of them are, or none
    int outline = 0;        ///< pixels
    Words groundTruth;
    Words listed;  ///< a tile
};

using Picture = std::function<Expected(const Ingredients&, glm::ivec2)>;

/// The splats as the camera sees them, in order. All three must outlive what is returned.
Ingredients ingredientsOf(const Gaussians& gaussians, const Camera& camera, const RenderSettings& settings);

/// How each picture of the table comes about, in double precision, by its name.
const std::map<std::string_view, Picture>& pictureReferences();

/// A pixel's splats, from the front.
reference::PixelTrace trace(const Ingredients& in, glm::ivec2 pixel);

double largestExtent(const reference::Projected& p);

/// Pixels that are off by more than rounding though nothing explains it, and those that may be anything.
struct Comparison {
    size_t off = 0;
    size_t open = 0;
    std::string first;
};

Comparison compare(const Words& found, const Ingredients& in, const Picture& picture);

}  // namespace splat
