#include "viewer/scene/training.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <splatwright/core/log.h>
#include <splatwright/core/names.h>
#include <splatwright/scene/cameras/focus.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/model/trained_kind.h>
#include <splatwright/train/presets/requested_settings.h>
#include <splatwright/train/step/training_costs.h>
#include "viewer/window/clock.h"

namespace splat::app {

namespace {

constexpr size_t kStageHistory = 300;  // numbers of a stage
constexpr double kFastest = 1.0 / 30;  // seconds between pictures of a model in training

}  // namespace

Training::Training(gpu::Device& device, World& world, SessionOptions options)
    : settings(options.settings),
      device_(device),
      world_(world),
      data_(options.data),
      results_(options.folder),
      format_(options.reading.format),
      applied_(options.settings),
      live_(device, std::move(options)),
      model_(world.addLive(escapedName(data_.filename().string()) + " (training)", 0)) {}

Training::~Training() {
    try {
        device_.waitForAll();  // frames may show thumbnails
    } catch (const Error& e) {
        spdlog::debug("while leaving training: {}", e.what());
    }
    if (world_.has(model_)) world_.remove(model_);
}

void Training::apply() {
    completeChange(settings, applied_, hasBegun());
    applied_ = settings;
    if (state_.phase == SessionPhase::ready) live_.restart(settings);
    if (hasBegun()) live_.change(settings);
}

void Training::takePreset(const std::string& nameOrFile) {
    settings = resolveSettings({.preset = nameOrFile, .use = std::string(presetUse())});
    if (hasBegun()) return apply();
    applied_ = settings;
    if (state_.phase == SessionPhase::ready) live_.restart(settings);
}

std::optional<double> Training::secondsLeft() const {
    if (state_.phase != SessionPhase::running || state_.millisecondsPerStep <= 0) return std::nullopt;
    return (state_.settings.steps - state_.last.step) * state_.millisecondsPerStep * 1e-3;
}

std::string durationText(double seconds) {
    const auto whole = std::llround(seconds);
    if (whole >= 3600) return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
    return whole >= 60 ? fmt::format("{} min {:02} s", whole / 60, whole % 60) : fmt::format("{} s", whole);
}

bool Training::update(double cost) {
    const uint32_t stepBefore = state_.last.step;
    const SessionPhase phaseBefore = state_.phase;
    state_ = live_.state();
    state_.problem = printable(state_.problem);
    takeStages(window_.advance(state_.costs));
    if (state_.dataGeneration != viewsGeneration_) takeViews();
    world_.setTransform(model_, state_.transform);
    if (state_.phase == SessionPhase::loading || state_.phase == SessionPhase::failed) return true;
    // When training pauses, its last step is shown at once.
    const bool isDue = !shows(state_) && (!shownStep_ || now() - lastRefresh_ > pause(cost));
    const bool refreshed = isDue && refresh();
    return refreshed || state_.last.step != stepBefore || state_.phase != phaseBefore;
}

double Training::pause(double cost) const {
    if (state_.phase != SessionPhase::running) return kFastest;
    return std::max(cost * 1e-3 * (1 / std::clamp(pictureShare, 0.01, 1.0) - 1), kFastest);
}

bool Training::refresh() {
    const bool taken = live_.withModel(
        [&](const SessionModel& model) { world_.refresh(model_, model.gaussians, model.shDegree, model.densifyStatistics); });
    if (!taken) return false;
    shownStep_ = state_.last.step;
    shownRemovals_ = state_.removals;
    world_.setCount(model_, state_.last.gaussians);
    lastRefresh_ = now();
    ++refreshes_;
    return true;
}

void Training::takeViews() {
    views_ = live_.views();
    cameras_.clear();
    for (const LiveView& view : views_) cameras_.push_back(view.camera);
    if (!thumbnails_.empty()) device_.waitForAll();  // a frame may show them
    thumbnails_.clear();
    thumbnails_.resize(views_.size());
    viewsGeneration_ = state_.dataGeneration;
    if (views_.empty()) return;
    world_.setExtent(model_, transformed(extent(), inverse(state_.transform)));
    arrived_ = true;
}

void Training::takeStages(const std::vector<StageCost>& means) {
    if (means.empty()) return;
    if (means.size() != stages_.size()) stages_.clear();
    stages_.resize(means.size());
    for (size_t i = 0; i < stages_.size(); ++i) {
        std::vector<float>& numbers = stages_[i].milliseconds;
        stages_[i].name = means[i].name;
        std::vector<uint32_t>& steps = stages_[i].steps;
        if (numbers.size() == kStageHistory) {
            numbers.erase(numbers.begin());
            steps.erase(steps.begin());
        }
        numbers.push_back(static_cast<float>(means[i].milliseconds));
        steps.push_back(state_.last.step);
    }
}

bool Training::awaitsModel() const {
    const LiveState now = live_.state();
    return rests(now.phase) && !shows(now);
}

bool Training::takeArrival() { return std::exchange(arrived_, false); }

Extent Training::extent() const {
    const Focus focus = focusOf(cameras_);
    return {.centre = focus.point, .radius = 0.4 * focus.distance};
}

glm::dvec3 Training::up() const {
    glm::dvec3 sum(0);
    for (const Camera& camera : cameras_) sum -= glm::dvec3(camera.rotation[0][1], camera.rotation[1][1], camera.rotation[2][1]);
    return glm::length(sum) > 1e-6 ? glm::normalize(sum) : glm::dvec3(0, -1, 0);
}

/// Small, and drawn from the host's memory: nothing waits for a copy.
const gpu::Texture& Training::thumbnail(size_t view) {
    Thumbnail& t = thumbnails_[view];
    if (t.texels) return t.texture;
    const Image8& image = views_[view].thumbnail;
    const std::vector<uint32_t> words = gpu::texelsOf(image);
    t.texels = device_.buffer<uint32_t>("thumbnail", std::max<size_t>(words.size(), 1), gpu::Residence::staging);
    std::ranges::copy(words, t.texels.mapped<uint32_t>());
    t.texture = {t.texels, {static_cast<uint32_t>(image.width), static_cast<uint32_t>(image.height)}};
    return t.texture;
}

}  // namespace splat::app
