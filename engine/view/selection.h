#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include <splatwright/gpu/buffer.h>
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

/// Pixels of a picture, as a flood fill leaves them (view/flood_fill.h).
struct ScreenMask {
    Camera camera;
    std::vector<uint32_t> words;  ///< a bit per pixel of the camera's size, from the lowest; every row begins a word
};

/// Gaussians of a similar colour, without what depends on the view.
struct ColourRange {
    glm::vec3 colour{0};  ///< 0 to 1
    float tolerance = 0;  ///< largest difference of a channel
};

/// Range of a quantity that was computed per Gaussian (view/splat_histogram.h).
struct NumberRange {
    gpu::BufferSlice numbers;  ///< one float per Gaussian of the world's buffers; NaN is in no range. Must outlive the selection on the GPU
    float low = 0, high = 0;
};

using SelectionShape =
    std::variant<ScreenRectangle, ScreenStroke, ScreenPolygon, WorldSphere, WorldBox, OpacityRange, ScreenMask, ColourRange, NumberRange>;

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
/// Words of masks; empty for other shapes.
std::span<const uint32_t> selectionMask(const SelectionShape& shape);
/// Numbers of Gaussians; empty for other shapes.
gpu::BufferSlice selectionNumbers(const SelectionShape& shape);
/// The shape in the frame of a model with this transform.
shared::SelectionArea selectionArea(const SelectionShape& shape, const ModelTransform& transform);

}  // namespace splat
