#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include <splatwright/scene/cameras/camera.h>
#include <splatwright/scene/gaussians/model_transform.h>
#include <splatwright/shared/viewer.h>

namespace splat {

// Selection shapes. A Gaussian is inside if its centre is; shapes on the image select at all depths beyond the near plane. Pixels count from the
// top left corner of the image, and the centre of the first pixel is (0.5, 0.5).

struct ScreenRectangle {
    Camera camera;
    glm::vec2 low{0}, high{0};  ///< opposite corners, pixels, in any order
};

/// The area that a brush covered.
struct ScreenStroke {
    Camera camera;
    std::vector<glm::vec2> points;  ///< at least one, pixels
    float radius = 0;               ///< pixels
};

/// A lasso: the inside of a closed outline by the even-odd rule.
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
    glm::dquat rotation{1, 0, 0, 0};  ///< from the box's axes to the world's
};

/// Range of Gaussians' opacities.
struct OpacityRange {
    float low = 0, high = 1;
};

using SelectionShape = std::variant<ScreenRectangle, ScreenStroke, ScreenPolygon, WorldSphere, WorldBox, OpacityRange>;

/// How a shape changes the selection; `set` replaces it.
enum class Combine : uint32_t {
    set = shared::kCombineSet,
    add = shared::kCombineAdd,
    remove = shared::kCombineRemove,
    intersect = shared::kCombineIntersect,
};

// Kernel arguments of a shape.

/// shared::kSelectRectangle and so on.
uint32_t selectionKind(const SelectionShape& shape);
/// Points of strokes and polygons; empty for other shapes.
std::span<const glm::vec2> selectionPoints(const SelectionShape& shape);
/// The shape in the frame of a model with this transform.
shared::SelectionArea selectionArea(const SelectionShape& shape, const ModelTransform& transform);

}  // namespace splat
