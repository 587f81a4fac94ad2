#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <splatwright/view/selection.h>

namespace splat::app {

/// Action of the left mouse button in the picture.
enum class Tool { navigate, rectangle, brush, lasso, polygon, eyedropper, flood, sphere, box, measure };

std::string_view nameOf(Tool tool);
/// Throws InputError for another name.
Tool toolByName(std::string_view name);
/// Whether the tool has a shape in the scene with handles, which the pointer moves; elsewhere it navigates.
bool hasVolume(Tool tool);

/// A selection shape being drawn on the picture.
class Selecting {
public:
    Tool tool = Tool::navigate;
    float brushRadius = 30;  ///< pixels; initially points
    bool allModels = false;  ///< false: only in the current model
    float tolerance = 0.1F;  ///< of the eyedropper and the flood: largest difference of a channel, 0 to 1

    /// Pixels of the picture.
    void begin(const glm::vec2& at);
    void move(const glm::vec2& to);
    /// Adds a corner to a polygon. Returns whether that closes it: near the first corner, or where the last one is.
    bool addCorner(const glm::vec2& at, float near);
    /// The drawn shape with its camera; nothing if it is too small.
    std::optional<SelectionShape> end(const Camera& camera);
    void cancel() { points_.clear(); }
    bool drawing() const { return !points_.empty(); }
    const std::vector<glm::vec2>& points() const { return points_; }

private:
    std::vector<glm::vec2> points_;
};

}  // namespace splat::app
