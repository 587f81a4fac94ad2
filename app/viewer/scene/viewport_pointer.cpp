// The pointer and keys in the picture: navigation, tools and handles.
#include <algorithm>
#include <cmath>

#include <imgui.h>

#include <splatwright/core/error.h>
#include <splatwright/view/flood_fill.h>
#include "viewer/scene/viewport.h"
#include "viewer/window/style.h"

namespace splat::app {

namespace {

constexpr double kDegreesPerPixel = 0.3;
constexpr double kZoomATurn = 0.87;    // of the distance, for a notch of the wheel
constexpr double kStepsASecond = 0.7;  // distances to the target
constexpr double kFast = 4, kSlow = 0.25;
constexpr float kDividerReach = 6;  // points, at both sides of the line between compared pictures
constexpr float kClick = 4;         // points: what moves less is a click

/// A movement key and its direction: right, down, forward.
struct FlightKey {
    const char* key;
    glm::dvec3 step;
};
constexpr FlightKey kFlightKeys[] = {{"W", {0, 0, 1}}, {"S", {0, 0, -1}}, {"A", {-1, 0, 0}},
                                     {"D", {1, 0, 0}}, {"Q", {0, 1, 0}},  {"E", {0, -1, 0}}};

}  // namespace

Combine heldCombine() {
    const ImGuiIO& io = ImGui::GetIO();
    return io.KeyShift ? Combine::add : io.KeyCtrl ? Combine::remove : Combine::set;
}

bool Viewport::handle(const std::set<std::string>& held, double seconds) {
    const bool dragged = drag();
    const bool flown = fly(held, seconds);
    followPointer();
    if (work_.counting.follow(view_)) waiting_ = true;
    return dragged || flown;
}

/// Asks for the value under the pointer when the pointer or the picture has changed.
void Viewport::followPointer() {
    const ImGuiIO& io = ImGui::GetIO();
    const glm::vec2 at = glm::vec2(io.MousePos.x, io.MousePos.y) - glm::vec2(low_);  // far away where there is no pointer
    const bool inside = glm::all(glm::greaterThanEqual(at, glm::vec2(0))) && glm::all(glm::lessThan(at, glm::vec2(view_.size())));
    if (!inside || io.WantCaptureMouse || hand_ != Hand::free || !work_.showsLegend || !range()) {
        pointed_.reset();
        pointedAt_.reset();
        return;
    }
    if (pointedAt_ == glm::uvec2(at)) return;
    pointedAt_ = at;
    view_.askNumber(*pointedAt_);
    waiting_ = true;
}

bool Viewport::showsGizmo() const {
    const auto& current = work_.current;
    return work_.showsGizmo && current && work_.world.has(*current) && work_.world[*current].visible && !work_.world[*current].isFixed();
}

/// The handles of a shape in the scene.
void Viewport::driveVolume() {
    const Tool tool = work_.selecting.tool;
    ModelTransform pose = work_.shapes.pose(tool);
    work_.gizmo.pivot = {0, 0, 0};
    if (work_.gizmo.drive(camera_, low_, pose)) work_.shapes.setPose(tool, pose);
    if (work_.gizmo.isUsed()) hand_ = Hand::gizmo;
}

void Viewport::driveGizmo() {
    Gizmo& gizmo = work_.gizmo;
    const bool isVolume = hasVolume(work_.selecting.tool);
    const auto driven = showsGizmo() && !isVolume ? work_.current : std::nullopt;
    if (gizmo.isUsed() && driven != driven_) gizmo.letGo();  // a drag does not go on in another model
    driven_ = driven;
    if (isVolume) return driveVolume();
    if (!driven) return;
    const World::Id id = *driven;
    gizmo.pivot = work_.world[id].extent.centre;
    ModelTransform transform = work_.world[id].transform;
    if (gizmo.drive(camera_, low_, transform)) work_.history.dragTransform(id, transform);
    if (gizmo.isUsed()) hand_ = Hand::gizmo;
}

void Viewport::endShape() {
    if (const auto shape = work_.selecting.end(camera_)) work_.select(*shape, heldCombine());
}

void Viewport::selectValues(float low, float high, Combine combine) {
    if (const auto range = view_.numbersBetween(low, high)) work_.select(*range, combine);
}

void Viewport::applyShape(Combine combine) {
    const Tool tool = work_.selecting.tool;
    if (hasVolume(tool)) return work_.select(work_.shapes.shapeOf(tool), combine);
    const auto shape = work_.selecting.end(camera_);
    if (!shape) throw InputError("there is no shape to select by: draw a polygon, or choose the tool sphere or box");
    work_.select(*shape, combine);
}

/// x: pixels of the picture.
bool Viewport::isOnDivider(float x) const {
    const bool shown = compare_.picture() && work_.comparing.layout == CompareLayout::divider;
    return shown && std::abs(static_cast<double>(x) - work_.comparing.divider * size().x) <= static_cast<double>(points(kDividerReach));
}

/// What the left button begins at a pixel of the picture.
Viewport::Hand Viewport::grab(const glm::vec2& at) {
    if (cubeFace()) return Hand::cube;
    if (isOnDivider(at.x)) return Hand::divider;
    switch (work_.selecting.tool) {
        case Tool::navigate:
        case Tool::sphere:
        case Tool::box: return Hand::view;
        case Tool::eyedropper:
        case Tool::flood:
        case Tool::measure: return Hand::pick;
        case Tool::polygon:
            if (work_.selecting.addCorner(at, points(kClick))) endShape();
            return Hand::corner;
        case Tool::rectangle:
        case Tool::brush:
        case Tool::lasso: break;
    }
    work_.selecting.begin(at);
    return Hand::shape;
}

void Viewport::release() {
    const ImGuiIO& io = ImGui::GetIO();
    const glm::ivec2 pixel(io.MousePos.x, io.MousePos.y);
    const bool clicked = ImGui::IsMouseReleased(0) && dragged_ < points(kClick);
    if (hand_ == Hand::view && clicked) click(pixel);
    if (const CubeFace* face = cubeFace(); hand_ == Hand::cube && clicked && face) work_.viewFrom(face->normal);
    if (hand_ == Hand::pick && clicked) pick(pixel);
    if (hand_ == Hand::shape) endShape();
    hand_ = Hand::free;
}

/// The face of the orientation cube under the pointer.
const CubeFace* Viewport::cubeFace() const {
    if (!work_.aids.cube || ImGui::GetIO().WantCaptureMouse) return nullptr;
    const CubePlace place(low_, high_);
    const ImVec2 pointer = ImGui::GetIO().MousePos;
    return cubeFaceAt(camera_.rotation, (glm::dvec2(pointer.x, pointer.y) - place.centre) / place.half);
}

void Viewport::measure(const Probe& answer) {
    if (!answer.point) return work_.complain("nothing to measure there: click a splat");
    work_.measuring.add(*answer.point);
    if (const auto distance = work_.measuring.distance()) work_.say(fmt::format("distance: {:.4g}", *distance));
}

/// Selects what is similar to a pixel of the screen: splats of a similar colour, or those behind the pixels around it; or measures.
void Viewport::pick(glm::ivec2 pixel) {
    const glm::ivec2 at = pixel - low_;
    if (glm::any(glm::lessThan(at, glm::ivec2(0))) || glm::any(glm::greaterThanEqual(at, glm::ivec2(view_.size())))) return;
    if (work_.selecting.tool == Tool::flood)
        return work_.select(ScreenMask{camera_, floodFill(picture(), at, work_.selecting.tolerance)}, heldCombine());
    measures_ = work_.selecting.tool == Tool::measure;
    if (!measures_) picks_ = heldCombine();
    ask(pixel, false);
}

bool Viewport::drag() {
    const ImGuiIO& io = ImGui::GetIO();
    const bool onHandle = hasHandles() && work_.gizmo.isOver();
    const bool over = !io.WantCaptureMouse || onHandle;  // ImGuizmo captures the pointer then
    const bool left = io.MouseDown[0], other = io.MouseDown[1] || io.MouseDown[2];
    const glm::dvec2 at = glm::dvec2(io.MousePos.x, io.MousePos.y) - glm::dvec2(low_);
    bool moved = false;
    if (over && io.MouseWheel != 0) {
        work_.giveBack();
        work_.navigator.zoom(std::pow(kZoomATurn, static_cast<double>(io.MouseWheel)));
        moved = true;
    }
    glm::dvec2 delta(io.MouseDelta.x, io.MouseDelta.y);
    if (over && hand_ == Hand::free && (left || other)) {
        dragged_ = 0;
        delta = {0, 0};  // the way to here is no drag: a finger presses where it comes down
        hand_ = left && !onHandle ? grab(at) : Hand::view;
    }
    if (hand_ == Hand::free) return moved || (over && hasHandles() && delta != glm::dvec2(0));
    dragged_ += static_cast<float>(glm::length(delta));
    // A frame may have a move together with the release: that still belongs to the drag.
    if (hand_ == Hand::shape) work_.selecting.move(at);
    if (hand_ == Hand::divider) work_.comparing.divider = std::clamp(at.x / size().x, 0.0, 1.0);
    if (hand_ == Hand::view) moved |= navigate(delta, left || ImGui::IsMouseReleased(0));
    if (left || other) return hand_ != Hand::view || moved;
    release();
    return true;
}

/// Left orbits (in fly mode: looks around; before a fitted picture: pans), other buttons pan. Shift+left pans, Ctrl+left zooms.
bool Viewport::navigate(const glm::dvec2& delta, bool left) {
    if (dragged_ < points(kClick) || delta == glm::dvec2(0)) return false;
    const ImGuiIO& io = ImGui::GetIO();
    Navigator& navigator = work_.navigator;
    work_.giveBack();
    const double height = std::max(1u, std::min(size().x, size().y));
    if (!left || io.KeyShift || (work_.isFlat() && !io.KeyCtrl)) {
        navigator.pan(delta.x / height, delta.y / height);
    } else if (io.KeyCtrl) {
        navigator.zoom(std::pow(kZoomATurn, -delta.y * 0.1));
    } else if (navigator.mode() == Navigator::Mode::fly) {
        navigator.look(delta.x * kDegreesPerPixel, delta.y * kDegreesPerPixel);
    } else {
        navigator.orbit(delta.x * kDegreesPerPixel, delta.y * kDegreesPerPixel);
    }
    return true;
}

bool Viewport::fly(const std::set<std::string>& held, double seconds) {
    const ImGuiIO& io = ImGui::GetIO();
    glm::dvec3 steps(0);
    for (const FlightKey& row : kFlightKeys)
        if (held.contains(row.key) && !io.KeyCtrl) steps += row.step;
    if (steps == glm::dvec3(0)) return false;
    work_.giveBack();
    const double speed = kStepsASecond * (io.KeyShift ? kFast : 1) * (io.KeyAlt ? kSlow : 1);
    work_.navigator.fly(steps * speed * seconds);
    return true;
}

/// Looks through the dataset camera under the pixel, or else queries the pixel.
void Viewport::click(glm::ivec2 pixel) {
    if (const auto view = viewUnder(work_.frusta(camera_), glm::dvec2(pixel - low_) + 0.5)) return work_.borrow(*view);
    ask(pixel, ImGui::GetIO().MouseClickedCount[0] >= 2);
}

}  // namespace splat::app
