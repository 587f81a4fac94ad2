#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include "scene/camera.h"
#include "scene/placement.h"
#include "shared/structs.h"

namespace splat {

// Shapes that gaussians are selected by. A gaussian is in one where its centre is; those on the image take what lies behind one another, but
// nothing nearer than the near plane. Pixels count from the top left corner of the image, the centre of the first is (0.5, 0.5).

struct ScreenRectangle {
    Camera camera;
    glm::vec2 low{0}, high{0};  ///< opposite corners, pixels, in any order
};

/// What a brush went over.
struct ScreenStroke {
    Camera camera;
    std::vector<glm::vec2> points;  ///< at least one, pixels
    float radius = 0;               ///< pixels
};

/// The inside of a closed outline by the even-odd rule: a lasso.
struct ScreenPolygon {
    Camera camera;
    std::vector<glm::vec2> points;  ///< pixels; fewer than three select nothing
};

struct WorldSphere {
    glm::dvec3 centre{0};
    double radius = 0;
};

struct WorldBox {
    glm::dvec3 centre{0};
    glm::dvec3 halfSize{0};           ///< along its own axes
    glm::dquat rotation{1, 0, 0, 0};  ///< from its own axes to the world's
};

/// By the gaussian's own opacity.
struct OpacityRange {
    float low = 0, high = 1;
};

using SelectionShape = std::variant<ScreenRectangle, ScreenStroke, ScreenPolygon, WorldSphere, WorldBox, OpacityRange>;

/// What becomes of the selection; `set` replaces it.
enum class Combine : uint32_t {
    set = shared::kCombineSet,
    add = shared::kCombineAdd,
    remove = shared::kCombineRemove,
    intersect = shared::kCombineIntersect,
};

// A shape as the kernel that selects wants it.

/// shared::kSelectRectangle and so on.
uint32_t selectionKind(const SelectionShape& shape);
/// Of strokes and polygons; empty of others.
std::span<const glm::vec2> selectionPoints(const SelectionShape& shape);
/// The shape as a model that stands there sees it from its own frame.
shared::SelectionArea selectionArea(const SelectionShape& shape, const Placement& placement);

}  // namespace splat
