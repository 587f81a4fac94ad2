#include <splatwright/view/selection.h>

#include <splatwright/core/error.h>
#include <splatwright/render/view.h>

namespace splat {

namespace {

/// A camera with its origin at the centre and the rotated axes; only its pose is used.
Camera frameAt(const glm::dvec3& centre, const glm::dquat& rotation) {
    const glm::dmat3 back = glm::transpose(glm::mat3_cast(glm::normalize(rotation)));
    return {.width = 1, .height = 1, .fx = 1, .fy = 1, .rotation = back, .translation = -(back * centre)};
}

/// The shape in world space.
struct AreaOf {
    static shared::SelectionArea onImage(shared::SelectionArea area = {}) {
        area.nearest = static_cast<float>(shared::kNearPlane);
        return area;
    }
    shared::SelectionArea operator()(const ScreenRectangle& r) const {
        return onImage({.low = glm::min(r.low, r.high), .high = glm::max(r.low, r.high)});
    }
    shared::SelectionArea operator()(const ScreenStroke& s) const {
        SPLAT_CHECK(!s.points.empty(), "a stroke without points");
        return onImage({.radius = s.radius});
    }
    shared::SelectionArea operator()(const ScreenPolygon&) const { return onImage(); }
    shared::SelectionArea operator()(const WorldSphere& s) const { return {.radius = static_cast<float>(s.radius)}; }
    shared::SelectionArea operator()(const WorldBox& b) const { return {.half = glm::vec3(b.halfSize)}; }
    shared::SelectionArea operator()(const ScreenMask&) const { return onImage(); }
    shared::SelectionArea operator()(const ColourRange& c) const { return {.colour = c.colour, .radius = c.tolerance}; }
    shared::SelectionArea operator()(const NumberRange& r) const { return {.low = glm::vec2(r.low), .high = glm::vec2(r.high)}; }
    shared::SelectionArea operator()(const OpacityRange& r) const { return {.low = glm::vec2(r.low), .high = glm::vec2(r.high)}; }
};

struct FrameOf {
    Camera operator()(const WorldSphere& s) const { return frameAt(s.centre, {1, 0, 0, 0}); }
    Camera operator()(const WorldBox& b) const { return frameAt(b.centre, b.rotation); }
    Camera operator()(const OpacityRange&) const { return nowhere(); }
    Camera operator()(const ColourRange&) const { return nowhere(); }
    Camera operator()(const NumberRange&) const { return nowhere(); }
    static Camera nowhere() { return frameAt({}, {1, 0, 0, 0}); }
    Camera operator()(const auto& onScreen) const { return onScreen.camera; }
};

struct PointsOf {
    std::span<const glm::vec2> operator()(const ScreenStroke& s) const { return s.points; }
    std::span<const glm::vec2> operator()(const ScreenPolygon& p) const { return p.points; }
    std::span<const glm::vec2> operator()(const auto&) const { return {}; }
};

struct KindOf {
    uint32_t operator()(const ScreenRectangle&) const { return shared::kSelectRectangle; }
    uint32_t operator()(const ScreenStroke&) const { return shared::kSelectStroke; }
    uint32_t operator()(const ScreenPolygon&) const { return shared::kSelectPolygon; }
    uint32_t operator()(const WorldSphere&) const { return shared::kSelectSphere; }
    uint32_t operator()(const WorldBox&) const { return shared::kSelectBox; }
    uint32_t operator()(const ScreenMask&) const { return shared::kSelectMask; }
    uint32_t operator()(const ColourRange&) const { return shared::kSelectColour; }
    uint32_t operator()(const NumberRange&) const { return shared::kSelectNumbers; }
    uint32_t operator()(const OpacityRange&) const { return shared::kSelectOpacity; }
};

}  // namespace

uint32_t selectionKind(const SelectionShape& shape) { return std::visit(KindOf(), shape); }

std::span<const glm::vec2> selectionPoints(const SelectionShape& shape) { return std::visit(PointsOf(), shape); }

std::span<const uint32_t> selectionMask(const SelectionShape& shape) {
    const auto* mask = std::get_if<ScreenMask>(&shape);
    if (!mask) return {};
    const size_t words = (static_cast<size_t>(mask->camera.width) + 31) / 32 * static_cast<size_t>(mask->camera.height);
    SPLAT_CHECK(mask->words.size() == words, "a mask of {} words, expected {}", mask->words.size(), words);
    return mask->words;
}

gpu::BufferSlice selectionNumbers(const SelectionShape& shape) {
    const auto* range = std::get_if<NumberRange>(&shape);
    return range ? range->numbers : gpu::BufferSlice{};
}

shared::SelectionArea selectionArea(const SelectionShape& shape, const ModelTransform& transform) {
    shared::SelectionArea area = std::visit(AreaOf(), shape);
    area.view = viewParameters(transformed(std::visit(FrameOf(), shape), inverse(transform)));
    // World units to model units.
    const auto scale = static_cast<float>(transform.scale);
    area.nearest /= scale;
    area.half /= scale;
    if (std::holds_alternative<WorldSphere>(shape)) area.radius /= scale;
    return area;
}

}  // namespace splat
