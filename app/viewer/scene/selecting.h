#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <splatwright/view/selection.h>

namespace splat::app {

/// Action of the left mouse button in the picture.
enum class Tool { navigate, rectangle, brush, lasso };

std::string_view nameOf(Tool tool);
/// Throws InputError for another name.
Tool toolByName(std::string_view name);

/// A selection shape being drawn on the picture.
class Selecting {
public:
    Tool tool = Tool::navigate;
    float brushRadius = 30;  ///< pixels; initially points
    bool allModels = false;  ///< false: only in the current model

    /// Pixels of the picture.
    void begin(const glm::vec2& at);
    void move(const glm::vec2& to);
    /// The drawn shape with its camera; nothing if it is too small.
    std::optional<SelectionShape> end(const Camera& camera);
    void cancel() { points_.clear(); }
    bool drawing() const { return !points_.empty(); }
    const std::vector<glm::vec2>& points() const { return points_; }

private:
    std::vector<glm::vec2> points_;
};

}  // namespace splat::app
