#include "viewer/scene/viewport.h"

#include <algorithm>
#include <cmath>

#include <imgui.h>

#include "viewer/scene/overlays.h"
#include "viewer/widgets/legend.h"
#include "viewer/window/style.h"
#include "viewer/window/ui.h"

namespace splat::app {

namespace {

constexpr double kDegreesPerPixel = 0.3;
constexpr double kZoomATurn = 0.87;    // of the distance, for a notch of the wheel
constexpr double kStepsASecond = 0.7;  // distances to the target
constexpr double kFast = 4, kSlow = 0.25;
constexpr float kClick = 4;       // points: what moves less is a click
constexpr float kOutline = 1.5F;  // points: of what is selected

/// A movement key and its direction: right, down, forward.
struct FlightKey {
    const char* key;
    glm::dvec3 step;
};
constexpr FlightKey kFlightKeys[] = {{"W", {0, 0, 1}}, {"S", {0, 0, -1}}, {"A", {-1, 0, 0}},
                                     {"D", {1, 0, 0}}, {"Q", {0, 1, 0}},  {"E", {0, -1, 0}}};

}  // namespace

Viewport::Viewport(Workspace& work) : work_(work), view_(work.device(), work.sort(), work.world), comparison_(work.device()) {}

void Viewport::place(glm::ivec2 low, glm::ivec2 high) {
    regionLow_ = low;
    regionHigh_ = glm::max(high, low + 1);
    std::optional<glm::ivec2> groundTruth;
    if (work_.borrowedView) {
        const Camera& camera = work_.training->views()[*work_.borrowedView].camera;
        groundTruth = {camera.width, camera.height};
    }
    glm::ivec2 room = regionHigh_ - regionLow_;
    if (groundTruth && work_.showsGroundTruth) room.x = std::max(room.x / 2, 1);
    glm::ivec2 size = room;
    if (groundTruth) {
        const glm::dvec2 ratio = glm::dvec2(room) / glm::dvec2(*groundTruth);
        size = glm::max(glm::ivec2(glm::round(std::min(ratio.x, ratio.y) * glm::dvec2(*groundTruth))), 1);
    }
    low_ = regionLow_ + (room - size) / 2;
    high_ = low_ + size;
}

Viewport::Scene Viewport::scene() const {
    Scene scene{.camera = work_.camera(size()),
                .settings = work_.picture,
                .generation = work_.world.generation(),
                .revision = work_.revision,
                .groundTruth = work_.borrowedView,
                .outline = outline(),
                .visible = {},
                .tints = {}};
    for (const World::Id id : work_.world.ids()) {
        const WorldModel& model = work_.world[id];
        if (!model.visible) continue;
        scene.visible.emplace_back(id, model.transform);
        scene.tints.push_back(model.tint);
    }
    return scene;
}

/// Pixels; 0 if nothing is selected, according to the GPU's last count.
uint32_t Viewport::outline() const {
    const bool mayBe = work_.history.counting() || work_.history.counts().selected > 0;
    return mayBe ? std::max(static_cast<uint32_t>(std::lround(points(kOutline))), 1u) : 0;
}

bool Viewport::stale() const { return !drawn_ || *drawn_ != scene(); }

void Viewport::draw() {
    if (stale()) {
        drawn_ = scene();
        comparison_.fit(work_.training.get(), work_.borrowedView, size(), view_);
        view_.groundTruth = comparison_.groundTruth();
        view_.settings = work_.picture;
        view_.outline = drawn_->outline;
        view_.draw(drawn_->camera);
        waiting_ = true;
    }
    texture_ = {view_.picture(), view_.size()};
    const ImVec2 low(static_cast<float>(low_.x), static_cast<float>(low_.y));
    const ImVec2 high(static_cast<float>(high_.x), static_cast<float>(high_.y));
    ImDrawList& list = *ImGui::GetBackgroundDrawList(ImGui::GetMainViewport());
    list.AddImage(textureName(texture_), low, high);
    if (work_.borrowedView && work_.showsGroundTruth && comparison_.texture()) {
        const int half = (regionHigh_.x - regionLow_.x) / 2;  // the render is in the left one
        const auto right = static_cast<float>(half);
        list.AddImage(textureName(*comparison_.texture()), {low.x + right, low.y}, {high.x + right, high.y});
    }
    drawOverlays(work_, view_.camera(), low_, high_);
    driveGizmo();
    // The reason if another mode than the chosen one is shown, and the legend of modes with values.
    const std::string why = missing();
    if (!why.empty() && !work_.world.ids().empty()) drawNote(why, low_, high_);
    const auto values = range();
    if (values && work_.showsLegend) drawLegend(*report_.mode, work_.picture.colourMap, *values, low_, high_);
}

std::string Viewport::missing() const {
    if (view_.missing().empty()) return "";
    return fmt::format("{}: {}. The colours are shown instead.", renderModeByName(work_.picture.picture).label, view_.missing());
}

std::optional<std::pair<double, double>> Viewport::range() const {
    if (!report_.mode || !report_.mode->isNumber() || !drawn_) return std::nullopt;
    if (!drawn_->settings.autoRange) return std::pair(drawn_->settings.rangeLow, drawn_->settings.rangeHigh);
    return report_.range ? std::optional<std::pair<double, double>>(*report_.range) : std::nullopt;
}

bool Viewport::poll() {
    if (!drawn_ || !waiting_) return false;
    const bool done = view_.poll();
    bool news = false;
    for (FrameReport& report : view_.reports()) {
        overflows_ += report.complete ? 0 : 1;
        if (report.complete) report_ = std::move(report);
        news = true;
    }
    if (auto answer = view_.probed()) {
        if (focusOnProbe_ && answer->point) {
            work_.giveBack();
            work_.navigator.focus(*answer->point);
        }
        probe_ = std::move(answer);
        asked_ = focusOnProbe_ = false;
        news = true;
    }
    waiting_ = !done || asked_;
    return news;
}

Image8 Viewport::picture() {
    view_.finish();
    const glm::uvec2 size = view_.size();
    return gpu::imageOf(work_.device().download<uint32_t>(view_.picture(), size_t{size.x} * size.y), size);
}

double Viewport::milliseconds() const {
    double sum = 0;
    for (const auto& [stage, milliseconds] : report_.stages) sum += milliseconds;
    return sum;
}

void Viewport::ask(glm::ivec2 pixel, bool focus) {
    const glm::ivec2 inside = pixel - low_;
    if (glm::any(glm::lessThan(inside, glm::ivec2(0))) || glm::any(glm::greaterThanEqual(inside, glm::ivec2(view_.size())))) return;
    view_.probe(glm::uvec2(inside));
    focusOnProbe_ = focus;
    asked_ = waiting_ = true;
}

bool Viewport::handle(const std::set<std::string>& held, double seconds) {
    const bool dragged = drag();
    const bool flown = fly(held, seconds);
    return dragged || flown;
}

bool Viewport::showsGizmo() const {
    const auto& current = work_.current;
    return work_.showsGizmo && current && work_.world.has(*current) && work_.world[*current].visible && !work_.world[*current].live;
}

void Viewport::driveGizmo() {
    if (!showsGizmo()) return;
    const World::Id id = *work_.current;
    Gizmo& gizmo = work_.gizmo;
    const bool wasUsed = gizmo.isUsed();
    gizmo.pivot = work_.world[id].extent.centre;
    ModelTransform transform = work_.world[id].transform;
    if (gizmo.drive(view_.camera(), low_, transform)) work_.world.setTransform(id, transform);
    if (gizmo.isUsed()) hand_ = Hand::gizmo;
    if (wasUsed && !gizmo.isUsed()) work_.history.transformChanged(id, gizmo.before());
}

void Viewport::endShape() {
    const ImGuiIO& io = ImGui::GetIO();
    if (const auto shape = work_.selecting.end(view_.camera()))
        work_.select(*shape, io.KeyShift ? Combine::add : io.KeyCtrl ? Combine::remove : Combine::set);
}

bool Viewport::drag() {
    const ImGuiIO& io = ImGui::GetIO();
    const bool onHandle = showsGizmo() && work_.gizmo.isOver();
    const bool over = !io.WantCaptureMouse || onHandle;  // ImGuizmo captures the pointer then
    const bool left = io.MouseDown[0], other = io.MouseDown[1] || io.MouseDown[2];
    const glm::dvec2 at = glm::dvec2(io.MousePos.x, io.MousePos.y) - glm::dvec2(low_);
    bool moved = false;
    if (over && io.MouseWheel != 0) {
        work_.giveBack();
        work_.navigator.zoom(std::pow(kZoomATurn, static_cast<double>(io.MouseWheel)));
        moved = true;
    }
    if (over && hand_ == Hand::free && (left || other)) {
        hand_ = Hand::view;
        dragged_ = 0;
        if (left && !onHandle && work_.selecting.tool != Tool::navigate) {
            work_.selecting.begin(at);
            hand_ = Hand::shape;
        }
    }
    if (hand_ == Hand::free) return moved || (over && showsGizmo() && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0));
    const glm::dvec2 delta(io.MouseDelta.x, io.MouseDelta.y);
    dragged_ += static_cast<float>(glm::length(delta));
    if (left || other) {
        if (hand_ == Hand::shape) work_.selecting.move(at);
        return hand_ == Hand::view ? navigate(delta, left) || moved : true;
    }
    if (hand_ == Hand::view && ImGui::IsMouseReleased(0) && dragged_ < points(kClick)) click(glm::ivec2(io.MousePos.x, io.MousePos.y));
    if (hand_ == Hand::shape) endShape();
    hand_ = Hand::free;
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
    if (const auto view = viewUnder(work_.frusta(view_.camera()), glm::dvec2(pixel - low_) + 0.5)) return work_.borrow(*view);
    ask(pixel, ImGui::GetIO().MouseClickedCount[0] >= 2);
}

}  // namespace splat::app
