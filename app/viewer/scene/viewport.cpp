#include "viewer/scene/viewport.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <imgui.h>

#include <splatwright/view/orthographic.h>
#include "viewer/scene/compared_pictures.h"
#include "viewer/scene/overlays.h"
#include "viewer/widgets/legend.h"
#include "viewer/window/style.h"
#include "viewer/window/ui.h"

namespace splat::app {

namespace {

constexpr float kOutline = 1.5F;  // points: of what is selected
constexpr double kBehindScene =
    10;  // radii of what is open, between an orthographic camera and the place from which perspective would look

/// Steps back, which changes no orthographic picture but takes in what is behind the camera.
Camera behindScene(Camera camera, const Extent& extent) {
    camera.translation.z += kBehindScene * extent.radius;
    return camera;
}

}  // namespace

Viewport::Viewport(Workspace& work)
    : work_(work),
      view_(work.device(), work.sort(), work.world),
      viewImage_(work.device()),
      compare_(work.device(), work.sort(), work.world) {}

void Viewport::place(glm::ivec2 low, glm::ivec2 high) {
    regionLow_ = low;
    regionHigh_ = glm::max(high, low + 1);
    std::optional<glm::ivec2> groundTruth;
    if (work_.borrowedView) {
        const Camera& camera = work_.training->views()[*work_.borrowedView].camera;
        groundTruth = {camera.width, camera.height};
    }
    cells_ = cellsOf(regionHigh_ - regionLow_, picturesBeside(), groundTruth);
    const glm::ivec2 room = cells_.size;
    glm::ivec2 size = room;
    if (groundTruth) {
        const glm::dvec2 ratio = glm::dvec2(room) / glm::dvec2(*groundTruth);
        size = glm::max(glm::ivec2(glm::round(std::min(ratio.x, ratio.y) * glm::dvec2(*groundTruth))), 1);
    }
    low_ = regionLow_ + (room - size) / 2;
    high_ = low_ + size;
}

int Viewport::picturesBeside() const {
    return work_.compared().with == CompareWith::nothing ? 1 : app::picturesBeside(work_.comparing.layout);
}

Viewport::Scene Viewport::scene() const {
    Scene scene{.camera = work_.camera(size()),
                .orthographic = work_.orthographicDistance(),
                .settings = work_.picture,
                .generation = work_.world.generation(),
                .revision = work_.revision,
                .backdrop = work_.backdrop.revision(),
                .groundTruth = work_.borrowedView,
                .outline = outline(),
                .second = work_.compared(),
                .models = work_.firstModels(),
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
        viewImage_.fit(work_.training.get(), work_.borrowedView, size(), view_);
        view_.groundTruth = viewImage_.groundTruth();
        work_.backdrop.fit(size(), view_);
        view_.settings = work_.picture;
        view_.models = drawn_->models;
        view_.outline = drawn_->outline;
        view_.orthographic = drawn_->orthographic;
        view_.draw(drawn_->orthographic > 0 ? behindScene(drawn_->camera, work_.world.extent()) : drawn_->camera);
        camera_ = drawn_->orthographic > 0 ? telephoto(drawn_->camera, drawn_->orthographic) : drawn_->camera;
        compare_.draw(view_, drawn_->second);
        waiting_ = true;
    }
    texture_ = {view_.picture(), view_.size()};
    drawPictures({.first = texture_,
                  .second = compare_.picture(),
                  .map = compare_.map(work_.comparing.layout),
                  .names = work_.comparedNames(),
                  .low = low_,
                  .high = high_,
                  .shifts = cells_.lows},
                 work_.comparing);
    drawOverlays(work_, camera_, low_, high_);
    driveGizmo();
    if (work_.aids.cube) drawOrientationCube(camera_.rotation, CubePlace(low_, high_), cubeFace());
    const std::string why = missing();  // if another mode than the chosen one is shown
    if (!why.empty() && !work_.world.ids().empty()) drawNote(why, low_, high_);
    drawValues();
}

/// The legend of modes with values, and the value under the pointer.
void Viewport::drawValues() const {
    const auto values = range();
    if (!values || !work_.showsLegend) return;
    const auto value = pointed_ ? pointed_->value : std::nullopt;
    drawLegend({.mode = *report_.mode,
                .colourMap = work_.picture.colourMap,
                .range = *values,
                .logarithmic = isLogarithmic(work_.picture),
                .isLocked = !work_.picture.autoRange,
                .pointed = value},
               low_, high_);
    if (!pointed_) return;
    const ImVec2 pointer = ImGui::GetIO().MousePos;
    drawPointed(value ? valueText(*report_.mode, static_cast<double>(*value)) : "no splats", {pointer.x, pointer.y}, low_, high_);
}

std::string Viewport::missing() const {
    if (view_.missing().empty()) return "";
    return fmt::format("{}: {}. The colours are shown instead.", renderModeByName(work_.picture.picture).label, view_.missing());
}

std::optional<std::pair<double, double>> Viewport::range() const {
    if (!report_.mode || !report_.mode->isNumber() || !drawn_) return std::nullopt;
    const RenderSettings& settings = drawn_->settings;
    if (!settings.autoRange) return mappedRange({settings.rangeLow, settings.rangeHigh}, isLogarithmic(settings));
    return report_.range ? std::optional(mappedRange(*report_.range, isLogarithmic(settings))) : std::nullopt;
}

bool Viewport::poll() {
    if (!drawn_) return false;
    const bool compared = compare_.poll(view_, work_.comparing.white);
    return (waiting_ && pollPictures()) || compared;
}

bool Viewport::pollPictures() {
    const bool done = view_.poll();
    bool news = false;
    for (FrameReport& report : view_.reports()) {
        overflows_ += report.complete ? 0 : 1;
        if (report.complete) report_ = std::move(report);
        pointedAt_.reset();
        news = true;
    }
    if (work_.counting.poll(view_)) news = true;
    if (auto answer = view_.probed()) {
        const auto combine = std::exchange(picks_, std::nullopt);
        if (combine && answer->picked) work_.selectLike(answer->picked->gaussian, *combine);
        if (focusOnProbe_ && answer->point) {
            work_.giveBack();
            work_.navigator.focus(*answer->point);
        }
        if (std::exchange(measures_, false)) measure(*answer);
        probe_ = std::move(answer);
        asked_ = focusOnProbe_ = false;
        news = true;
    }
    if (const auto number = view_.number()) {
        pointed_ = number;
        news = true;
    }
    waiting_ = !done || asked_ || view_.asksNumber() || view_.asksHistogram();
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

}  // namespace splat::app
