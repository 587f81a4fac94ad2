#include "viewer/scene/selecting.h"

#include <algorithm>
#include <array>

#include <fmt/ranges.h>

#include <splatwright/core/error.h>

#include <utility>

namespace splat::app {

namespace {

constexpr float kStep = 3;  // pixels between points of a stroke
constexpr std::array<std::string_view, 10> kToolNames{"navigate",   "rectangle", "brush",  "lasso", "polygon",
                                                      "eyedropper", "flood",     "sphere", "box",   "measure"};

}  // namespace

std::string_view nameOf(Tool tool) { return kToolNames[static_cast<size_t>(tool)]; }

Tool toolByName(std::string_view name) {
    const auto found = std::ranges::find(kToolNames, name);
    if (found == kToolNames.end()) throw InputError("unknown tool '{}', expected one of: {}", name, fmt::join(kToolNames, ", "));
    return static_cast<Tool>(found - kToolNames.begin());
}

bool hasVolume(Tool tool) { return tool == Tool::sphere || tool == Tool::box; }

bool Selecting::addCorner(const glm::vec2& at, float near) {
    const bool closes = points_.size() >= 3 && (glm::distance(at, points_.front()) <= near || glm::distance(at, points_.back()) <= near);
    if (!closes && (points_.empty() || glm::distance(at, points_.back()) > near)) points_.push_back(at);
    return closes;
}

void Selecting::begin(const glm::vec2& at) { points_ = {at}; }

void Selecting::move(const glm::vec2& to) {
    if (!drawing()) return;
    if (tool == Tool::rectangle) {
        points_.resize(2);
        points_[1] = to;
    } else if (glm::distance(points_.back(), to) >= kStep) {
        points_.push_back(to);
    }
}

std::optional<SelectionShape> Selecting::end(const Camera& camera) {
    std::vector<glm::vec2> points = std::exchange(points_, {});
    switch (tool) {
        case Tool::rectangle:
            if (points.size() == 2) return ScreenRectangle{camera, points[0], points[1]};
            break;
        case Tool::brush:
            if (!points.empty()) return ScreenStroke{camera, std::move(points), brushRadius};
            break;
        case Tool::lasso:
        case Tool::polygon:
            if (points.size() >= 3) return ScreenPolygon{camera, std::move(points)};
            break;
        case Tool::navigate:
        case Tool::eyedropper:
        case Tool::flood:
        case Tool::sphere:
        case Tool::box:
        case Tool::measure: break;
    }
    return std::nullopt;
}

}  // namespace splat::app
