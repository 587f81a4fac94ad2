#pragma once

#include <optional>
#include <vector>

#include "view/selection.h"

namespace splat::app {

/// What the left button of the pointer does in the picture.
enum class Tool { navigate, rectangle, brush, lasso };

/// A shape that is being drawn on the picture, and what it will select.
class Selecting {
public:
    Tool tool = Tool::navigate;
    float brushRadius = 30;  ///< pixels; at first points
    bool allModels = false;  ///< else only in the chosen one

    /// Pixels of the picture.
    void begin(const glm::vec2& at);
    void move(const glm::vec2& to);
    /// What was drawn, as seen by the camera; nothing where it is too small to mean anything.
    std::optional<SelectionShape> end(const Camera& camera);
    void cancel() { points_.clear(); }
    bool drawing() const { return !points_.empty(); }
    const std::vector<glm::vec2>& points() const { return points_; }

private:
    std::vector<glm::vec2> points_;
};

}  // namespace splat::app
