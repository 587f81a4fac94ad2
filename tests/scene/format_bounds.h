#pragma once

#include <map>
#include <string_view>

namespace splat::test {

/// What a writer may change, per attribute. The same figures are in engine/scene/formats/README.md.
struct FormatBounds {
    double position = 0;  ///< of the extent of the splats
    double rotation = 0;  ///< degrees between both rotations
    double logScale = 0;
    double opacity = 0;       ///< of 1
    double colour = 0;        ///< of 1; the colour without view dependence
    double sh = 0;            ///< of coefficients of degree 1 and more, within -1..1
    int shDegree = 3;         ///< most that is kept
    bool antialiased = true;  ///< whether the file says it
    bool anyFloat = false;    ///< whether values that are not finite, and no splats at all, are written
};

/// By the name of the writer.
inline const std::map<std::string_view, FormatBounds> kFormatBounds{
    {"compressed-ply", {.position = 5e-4, .rotation = 0.28, .logScale = 0.004, .opacity = 0.002, .colour = 0.002, .sh = 0.016}},
    {"ply", {.anyFloat = true}},
    {"ply-ascii", {.anyFloat = true}},
    {"ply-big-endian", {.anyFloat = true}},
    {"sog", {.position = 4e-5, .rotation = 0.6, .logScale = 0.07, .opacity = 0.002, .colour = 0.004, .sh = 0.007}},
    {"sog-folder", {.position = 4e-5, .rotation = 0.6, .logScale = 0.07, .opacity = 0.002, .colour = 0.004, .sh = 0.007}},
    {"splat", {.rotation = 0.8, .logScale = 1e-6, .opacity = 0.002, .colour = 0.002, .shDegree = 0, .antialiased = false}},
    {"spz", {.position = 2e-5, .rotation = 0.28, .logScale = 0.032, .opacity = 0.002, .colour = 0.004, .sh = 0.071}},
    {"spz-v1", {.position = 4e-4, .rotation = 4.2, .logScale = 0.032, .opacity = 0.002, .colour = 0.004, .sh = 0.071}},
    {"spz-v2", {.position = 2e-5, .rotation = 4.2, .logScale = 0.032, .opacity = 0.002, .colour = 0.004, .sh = 0.071}},
    {"spz-v4", {.position = 2e-5, .rotation = 0.28, .logScale = 0.032, .opacity = 0.002, .colour = 0.004, .sh = 0.071}},
    {"spz-8bit", {.position = 2e-5, .rotation = 0.28, .logScale = 0.032, .opacity = 0.002, .colour = 0.004, .sh = 0.008}},
    {"glb", {.logScale = 1e-6, .opacity = 1e-6}},
    {"glb-spz", {.position = 2e-5, .rotation = 0.28, .logScale = 0.032, .opacity = 0.002, .colour = 0.004, .sh = 0.071}},
    {"html", {.position = 4e-5, .rotation = 0.6, .logScale = 0.07, .opacity = 0.002, .colour = 0.004, .sh = 0.007}},
    {"usda", {.logScale = 1e-6, .opacity = 1e-6}},
};

}  // namespace splat::test
