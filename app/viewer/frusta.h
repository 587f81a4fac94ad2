#pragma once

#include <array>
#include <optional>
#include <vector>

#include "train/live_training.h"

namespace splat::app {

/// The pyramid that a dataset's camera sees up to a depth, in pixels of a picture that another camera takes of it.
struct Frustum {
    size_t view;      ///< of the dataset
    double distance;  ///< of its far side's middle from the eye that looks at it, world units
    glm::dvec2 tip;
    std::array<glm::dvec2, 4> corners;  ///< of the far side, as the photograph has them: from its top left to the right, then back
};

/// How deep they are drawn, in distances of the eye from what it looks at.
inline constexpr double kFrustumDepth = 0.06;

/// The farthest first. Those that reach behind the camera are left out. depth: world units.
std::vector<Frustum> frustaOf(const std::vector<LiveView>& views, const Camera& camera, double depth);

/// The view whose photograph would lie under a pixel, on the nearest far side.
std::optional<size_t> viewUnder(const std::vector<Frustum>& frusta, const glm::dvec2& pixel);

}  // namespace splat::app
