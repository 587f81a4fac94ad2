#include "viewer/scene/workspace.h"

#include <algorithm>
#include <array>
#include <iterator>

#include <splatwright/core/log.h>
#include <splatwright/gpu/check.h>
#include <splatwright/render/kinds/blobs.h>
#include <splatwright/scene/datasets/missing_poses.h>
#include <splatwright/scene/datasets/picture.h>
#include <splatwright/scene/files/file_endings.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/gaussians/usable.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/session/run_files.h>
#include <splatwright/view/save_world.h>
#include "viewer/files/build_version.h"
#include "viewer/files/written_files.h"
#include "viewer/widgets/grouped.h"
#include "viewer/window/clock.h"
#include "viewer/window/style.h"

namespace splat::app {

namespace {

/// Colours that distinguish models.
constexpr std::array kTints{glm::vec3(0.96, 0.58, 0.20), glm::vec3(0.30, 0.65, 0.95), glm::vec3(0.45, 0.80, 0.40),
                            glm::vec3(0.85, 0.40, 0.75), glm::vec3(0.95, 0.85, 0.30), glm::vec3(0.35, 0.80, 0.80)};

/// A file's name without its complete format ending, because copies are saved as plain PLY.
std::string nameOf(const std::filesystem::path& path) {
    if (path.filename() == kStreamedSogList || path.filename() == kCheckpointFile)
        return nameOf(std::filesystem::absolute(path).parent_path());
    const std::string name = path.filename().string();
    for (const SplatFormat* format : splatFormats()) {
        const std::string_view ending = format->extension;
        if (name.size() > ending.size() && name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
    }
    return path.stem().string();
}

constexpr double kNoticeSeconds = 10, kProblemSeconds = 60;  // that the status bar shows them

}  // namespace

Workspace::Workspace(gpu::Device& device, const primitives::RadixSort& sort, std::filesystem::path recentList)
    : world(device), history(device, world), backdrop(device), recent(std::move(recentList)), device_(device), sort_(sort) {
    selecting.brushRadius = points(selecting.brushRadius);
}

void Workspace::open(const std::filesystem::path& path) {
    std::error_code ignored;
    if (path.extension() == kProjectEnding) return openProject(path);
    keepsCamera_ = false;
    if (isStreamedSog(path)) return stream(path);
    const auto unposed = question.asks && !isDataset(path) ? findUnposed(path) : std::nullopt;
    if (unposed) return prepareDialog.offer(unposed->path, unposed->what, [this](const prepare::Settings& chosen) { prepare(chosen); });
    const bool isFile = !std::filesystem::is_directory(path, ignored);
    if (isFile && hasEnding(path, kPhotographEndings)) return fit(path);
    if (isFile && !hasEnding(path, kVideoEndings)) {
        loader_.open(path);
        return say(fmt::format("reading {}", path.filename().string()));
    }
    question.unlessLost(unsavedSteps(), "Open another dataset", [this, path] {
        train({.data = path, .reading = reading, .settings = trainSettings, .version = programVersion()});
    });
}

void Workspace::fit(const std::filesystem::path& path) {
    question.unlessLost(unsavedSteps(), "Fit another picture", [this, path] {
        const bool isForPictures = trainedKind(trainSettings).subject == SettingUse::pictures;
        SessionOptions options{.data = path, .version = programVersion()};
        options.reading.format = kPictureFormat;
        options.settings = isForPictures ? trainSettings : resolveSettings({.values = {{"strategy", "picture"}}, .use = "fit"});
        train(std::move(options));
    });
}

void Workspace::stream(const std::filesystem::path& path) {
    try {
        const bool first = world.ids().empty();
        auto opened = std::make_unique<DetailStream>(device_, world, escapedName(nameOf(path)), path, detailBudget);
        const World::Id id = adopt(opened->id());
        saved_[id] = {};
        sources_[id] = {.file = std::filesystem::absolute(path), .isOwn = false};
        recent.add(path);
        if (first && !keepsCamera_) navigator.reset(world.extent());
        say(fmt::format("{}: {} splats in {} levels of detail, at most {} in a picture", path.filename().string(),
                        grouped(opened->scene().count(0)), opened->scene().levels(), grouped(opened->budget())));
        streams[id] = std::move(opened);
    } catch (const Error& problem) {
        complain(problem.what());
    }
}

bool Workspace::updateStreams() {
    bool news = false;
    for (const auto& [id, stream] : streams) {
        if (stream->update()) news = true;
        if (const std::string problem = stream->takeProblem(); !problem.empty()) complain(problem);
    }
    if (news) ++revision;
    return news;
}

/// Problems of the folder are reported once its thread has read it.
void Workspace::train(SessionOptions options) {
    options.data = std::filesystem::absolute(options.data).lexically_normal();
    borrowedView.reset();
    strip.reset();
    training.reset();
    training = std::make_unique<Training>(device_, world, std::move(options));
    strip = std::make_unique<ViewStrip>(device_, sort_, world);
    fitRate = training->isPicture() ? std::make_unique<FitRate>(device_, sort_) : nullptr;
    current = training->model();
    recent.add(training->data());
    say(fmt::format("reading the {} {}", training->isPicture() ? "picture" : "dataset", training->data().string()));
}

void Workspace::prepare(const prepare::Settings& settings) {
    if (isPreparing()) throw InputError("{} is being prepared: stop that first", preparing->settings().input.string());
    preparing = std::make_unique<Preparing>(settings);
    say(fmt::format("preparing {}", settings.input.string()));
}

bool Workspace::busy() const {
    const bool streaming = std::ranges::any_of(streams, [](const auto& stream) { return !stream.second->complete(); });
    return streaming || loader_.busy() || (training && training->state().phase == SessionPhase::loading);
}

bool Workspace::update(double cost) {
    bool news = false;
    while (auto loaded = loader_.poll()) {
        take(std::move(*loaded));
        news = true;
    }
    if (history.poll()) news = true;
    if (history.revision() != editRevision_) ++revision;
    editRevision_ = history.revision();
    if (isPreparing() && preparing->update()) {
        if (preparing->takeArrival() && world.ids().empty()) {  // else there is something to see already
            navigator.setUp({0, -1, 0});
            navigator.reset(preparing->extent());
        }
        if (preparing->ended()) takePrepared();
        news = true;
    }
    if (updateStreams()) news = true;
    return updateTraining(cost) || news;
}

void Workspace::takePrepared() {
    const prepare::Settings& settings = preparing->settings();
    if (!preparing->report()) return complain(fmt::format("{}: {}", settings.input.string(), preparing->problem()));
    question.unlessLost(unsavedSteps(), "Train on the new dataset", [this, data = settings.out] {
        train({.data = data, .reading = reading, .settings = trainSettings, .version = programVersion()});
        training->live().start();
    });
}

bool Workspace::updateTraining(double cost) {
    if (!training) return false;
    const uint64_t refreshes = training->refreshes();
    const uint64_t problems = training->state().problems, removals = training->state().removals;
    const SessionPhase phase = training->state().phase;
    const bool news = training->update(cost);
    const LiveState& state = training->state();
    if (state.phase == SessionPhase::finished && phase != SessionPhase::finished && phase != SessionPhase::loading) {
        std::string text =
            fmt::format("training has finished: {} steps, {} splats", grouped(state.last.step), grouped(state.last.gaussians));
        if (!state.evaluations.empty()) text += fmt::format(", {:.2f} dB", state.evaluations.back().psnr);
        if (!training->results().empty()) text += fmt::format("; everything is in {}", training->results().string());
        say(text);
    }
    if (training->refreshes() != refreshes) ++revision;
    if (state.problems != problems) complain(state.problem);
    if (state.removals != removals)
        say(fmt::format("{} floaters are removed, {} splats are left", grouped(state.removed), grouped(state.last.gaussians)));
    if (training->takeArrival()) {
        if (!keepsCamera_) {
            navigator.setUp(training->up());
            navigator.reset(training->extent());
        }
        const std::string file = training->data().filename().string();
        const Camera& camera = training->views().front().camera;
        if (training->isPicture()) borrow(0);
        if (training->isPicture() && !comparing.isOn() && !keepsCamera_)
            comparing = {.second = {.with = CompareWith::groundTruth}, .layout = CompareLayout::three};
        say(training->isPicture() ? fmt::format("{}: {}x{} pixels; Start (T) fits it", file, camera.width, camera.height)
                                  : fmt::format("{}: {} views; Start (T) trains", file, training->views().size()));
    }
    const bool measured = fitRate && fitRate->update(*training);
    const bool drawn = !training->isPicture() && strip->update(*training);
    return drawn || measured || news;
}

void Workspace::borrow(size_t view) {
    navigator.follow(training->views()[view].camera);
    borrowedView = view;
}

std::vector<Frustum> Workspace::frusta(const Camera& camera) const {
    if (!showsCameras || !training || borrowedView) return {};
    return frustaOf(training->cameras(), camera, kFrustumDepth * navigator.distance());
}

void Workspace::giveBack() { borrowedView.reset(); }

void Workspace::take(LoadedSplats loaded) {
    if (!loaded.problem.empty()) {
        if (loaded.reopened) missing_.push_back(loaded.reopened->model);
        return complain(loaded.problem);
    }
    try {
        const bool first = world.ids().empty();
        std::string name = escapedName(nameOf(loaded.path));
        if (loaded.step) name += fmt::format(" of step {}", *loaded.step);
        const ModelFile& model = loaded.model;
        const World::Id id = adopt(world.add(name, model.numbers, model.kind));
        saved_[id] = {};
        sources_[id] = {.file = std::filesystem::absolute(loaded.path), .isOwn = false};
        if (loaded.picture) pictures_[id] = std::move(*loaded.picture);
        if (loaded.reopened) return restore(id, *loaded.reopened);
        recent.add(loaded.path);
        if (first && !keepsCamera_) lookAtFirst(model);
        say(fmt::format("{}: {} splats", loaded.path.filename().string(), grouped(model.numbers.count())));
    } catch (const gpu::OutOfMemory& problem) {
        complain(fmt::format("{}: {}", loaded.path.string(), problem.what()));
    }
}

/// As the file wants to be seen, or all of it.
void Workspace::lookAtFirst(const ModelFile& model) {
    if (!model.view) return navigator.reset(world.extent());
    navigator.setUp({0, -1, 0});
    navigator.follow(model.view->camera);
    navigator.look(model.view->camera.position(), {0, 0, 0});
    picture.background = model.view->background;
}

World::Id Workspace::add(std::string name, const Gaussians& gaussians) { return adopt(world.add(std::move(name), gaussians)); }

World::Id Workspace::add(std::string name, FittedPicture fitted) {
    const World::Id id = adopt(world.add(std::move(name), storedBlobs(fitted.blobs), kindOf(fitted.blobs)));
    pictures_[id] = std::move(fitted);
    return id;
}

/// Makes the model the current one.
World::Id Workspace::adopt(World::Id id) {
    world.setTint(id, kTints[id % kTints.size()]);
    current = id;
    return id;
}

std::vector<std::string> Workspace::unsavedSteps() const {
    if (!training || training->state().last.step <= training->state().savedStep) return {};
    return {
        fmt::format("{}: {} steps of training", escapedName(training->data().filename().string()), grouped(training->state().last.step))};
}

std::vector<std::string> Workspace::lostByReset() const {
    if (!training || training->results().empty() || training->state().last.step == 0) return unsavedSteps();
    return {fmt::format("{}: {} steps; the new start's files replace what is there", printable(training->results().string()),
                        training->state().last.step)};
}

std::vector<std::string> Workspace::unsaved(World::Id id) const {
    if (training && training->model() == id) return training->results().empty() ? unsavedSteps() : std::vector<std::string>();
    const auto saved = saved_.find(id);
    if (saved != saved_.end() && saved->second.transform == world[id].transform) {
        const uint32_t deleted = history.counts(id).deleted;
        // Else others may be deleted, or the last edit is not counted yet.
        const bool same = history.revision() == saved->second.edits || (deleted == 0 && !history.counting());
        if (same && deleted == saved->second.deleted) return {};
    }
    return {fmt::format("{}, as it is now", world[id].name)};
}

std::vector<std::string> Workspace::unsaved() const {
    std::vector<std::string> lost;
    for (const World::Id id : world.ids()) std::ranges::copy(unsaved(id), std::back_inserter(lost));
    if (isPreparing())
        lost.push_back(fmt::format("{} is being prepared; that can go on later", printable(preparing->settings().input.string())));
    return lost;
}

void Workspace::close(World::Id id) {
    question.unlessLost(unsaved(id), "Close", [this, id] {
        if (world.has(id)) remove(id);
    });
}

void Workspace::remove(World::Id id) {
    say(fmt::format("{} is closed", world[id].name));
    if (training && training->model() == id) {
        giveBack();
        strip.reset();
        fitRate.reset();
        training.reset();
    } else {
        streams.erase(id);
        history.remove(id);
    }
    saved_.erase(id);
    sources_.erase(id);
    pictures_.erase(id);
    if (current != id) return;
    const auto left = world.ids();
    current = left.empty() ? std::nullopt : std::optional(left.front());
}

void Workspace::duplicate(World::Id id) {
    const WorldModel model = world[id];
    try {
        const std::string name =
            model.live && !model.details
                ? fmt::format("{} of step {}", escapedName(training->data().filename().string()), training->state().last.step)
                : model.name + " copy";
        auto fitted = isPicture(id) ? copyOfPicture(id) : std::nullopt;
        const World::Id copy = fitted ? add(name, std::move(*fitted)) : add(name, usableOnly(world.gaussiansOf(id)));
        world.setTransform(copy, model.transform);
        if (model.live) world.setVisible(id, false);
        say(fmt::format("{} is a copy of {}", world[copy].name, model.name));
    } catch (const gpu::OutOfMemory& problem) {
        complain(fmt::format("{}: {}", model.name, problem.what()));
    }
}

uint64_t Workspace::splats(World::Id id) const {
    const auto stream = streams.find(id);
    return stream == streams.end() ? world[id].count : stream->second->scene().count(0);
}

uint64_t Workspace::splats() const {
    uint64_t sum = 0;
    for (const World::Id id : world.ids()) sum += splats(id);
    return sum;
}

void Workspace::viewFrom(const glm::dvec3& direction) {
    giveBack();
    navigator.look(navigator.target() + navigator.distance() * direction, navigator.target());
}

bool Workspace::isFlat() const {
    const auto ids = world.ids();
    const auto isShown = [&](World::Id id) { return world.shows(id); };
    return std::ranges::any_of(ids, isShown) && std::ranges::all_of(ids, [&](World::Id id) { return !isShown(id) || isPicture(id); });
}

void Workspace::frameAll() {
    giveBack();
    navigator.frame(world.extent());
}

void Workspace::showKey(size_t key) {
    pathKey = key;
    showPath(flight.keys().at(key).time);
}

void Workspace::showPath(double seconds) {
    giveBack();
    pathTime = std::clamp(seconds, 0.0, flight.seconds());
    app::take(navigator, flight.at(pathTime));
}

void Workspace::dragKey(size_t key, double seconds) {
    if (key == 0) return;            // it is where the time begins
    constexpr double kLeast = 0.01;  // seconds between two keys
    const auto& keys = flight.keys();
    const double low = keys[key - 1].time + kLeast;
    const double high = key + 1 == keys.size() ? CameraPath::kMostSeconds : keys[key + 1].time - kLeast;
    pathTime = std::clamp(seconds, std::min(low, high), high);
    pathKey = flight.move(key, pathTime);
}

Camera Workspace::camera(glm::uvec2 size) const {
    if (!borrowedView) return navigator.camera(size);
    return resized(training->views()[*borrowedView].camera, static_cast<int>(size.x), static_cast<int>(size.y));
}

bool Notice::isFresh() const { return !text.empty() && now() - since < (problem ? kProblemSeconds : kNoticeSeconds); }

void Workspace::say(const std::string& text) {
    messages.add(spdlog::level::info, text);
    lastMessage_ = printable(text);
    notice_ = {.text = lastMessage_, .problem = false, .number = notice_.number + 1, .since = now()};
}

void Workspace::complain(const std::string& text) {
    spdlog::error("{}", text);
    ++problems_;
    lastMessage_ = printable(text);
    notice_ = {.text = lastMessage_, .problem = true, .number = notice_.number + 1, .since = now()};
}

}  // namespace splat::app
