#include "viewer/viewer.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include <imgui.h>

#include "core/log.h"
#include "core/names.h"
#include "core/threads.h"
#include "gpu/check.h"
#include "scene/image_file.h"
#include "viewer/actions.h"
#include "viewer/layout.h"

namespace splat::app {

namespace {

constexpr uint32_t kSettlingFrames = 3;     // Dear ImGui needs one or two until a click shows everywhere
constexpr double kLongestSleep = 0.25;      // seconds: what other threads have finished is looked at this often
constexpr double kScriptPatience = 300;     // seconds that a line of a script may wait
constexpr uint32_t kScreenshotFrames = 60;  // that a screenshot waits for the screen to come to rest
constexpr double kLongestStep = 0.1;        // seconds that a flight takes for one frame, at most

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

Viewer::Viewer(gpu::Device& device, const primitives::RadixSort& sort, Window* window, ViewerOptions options)
    : device_(device),
      window_(window),
      options_(std::move(options)),
      screen_(device, window ? glm::max(window->size(), 1u) : options_.size, window ? window->surface() : gpu::MakeSurface{},
              options_.verticalSync),
      ui_(device, window, window ? window->scale() : 1),
      work_(device, sort, options_.keepsRecent ? RecentFiles::defaultList() : std::filesystem::path()),
      viewport_(std::in_place, work_),
      reloading_(device, options_.shaders),
      lastFrame_(now()) {
    work_.question.asks = options_.script.empty();
}

/// What the last frames show must not go before they are done.
Viewer::~Viewer() {
    try {
        device_.waitForAll();
    } catch (const Error& e) {
        spdlog::debug("while leaving the viewer: {}", e.what());
    }
}

void Viewer::run() {
    while (!closing_ && !options_.leaveWhen()) {
        takeEvents();
        takeAnswers();
        takeNews();
        if (viewport_->poll()) settling_ = std::max(settling_, 1u);
        takeReload();
        runScript();
        playOn();
        if (restless()) {
            frame();
        } else if (!window_) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));  // a script waits for other threads
        }
    }
}

/// Sleeps where there is nothing to draw.
void Viewer::takeEvents() {
    if (!window_) return;
    if (restless()) {
        window_->poll();
    } else {
        const bool soon = work_.busy() || reloading_.busy() || work_.training || nextLine_ < options_.script.size();
        window_->wait(viewport_->waiting() ? 0.001 : soon ? 0.01 : kLongestSleep);
    }
    if (window_->takeActivity()) settling_ = kSettlingFrames;
    if (window_->takeCloseRequest()) work_.question.open() ? quit() : leave();
    for (const auto& path : window_->takeDropped()) work_.open(path);
    const auto chords = window_->takeChords();
    if (work_.question.open()) {
        if (std::ranges::find(chords, "Escape") != chords.end()) work_.question.cancel();
        return;
    }
    if (ui_.wantsKeys()) return;
    for (const std::string& chord : chords) {
        if (const Action* action = actionOfChord(chord)) act(action->name);
    }
}

/// Whether the next picture of the screen would differ from the last one, and somebody could see it.
bool Viewer::restless() const {
    if (window_ && window_->minimised()) return false;
    const bool keys = !scriptedKeys_.empty() || (window_ && !window_->held().empty() && !ui_.wantsKeys());
    return settling_ > 0 || recording_ || capturing_.busy() || pointer_.moving() || keys ||
           (!screenshots_.empty() && !viewport_->waiting()) || viewport_->stale();
}

/// News of training are shown with its pictures, which keep to their part of the GPU.
void Viewer::takeNews() {
    const double cost = viewport_->milliseconds() + screen_.milliseconds();
    news_ |= work_.update(cost);
    if (!news_ || (work_.training && now() - lastFrame_ < work_.training->pause(cost))) return;
    news_ = false;
    stir();
}

void Viewer::act(std::string_view action) {
    attempt([&] {
        Arguments none(action, {});
        actionByName(action).run(*this, none);
    });
}

/// To questions and in dialogs.
void Viewer::takeAnswers() {
    if (const auto agreed = work_.question.takeAgreed()) attempt(agreed);
    if (const auto chosen = work_.dialog.takeChosen()) attempt(chosen);
}

void Viewer::attempt(const std::function<void()>& something) {
    settling_ = kSettlingFrames;
    try {
        something();
    } catch (const gpu::DeviceLost&) {
        throw;
    } catch (const Error& problem) {
        work_.complain(problem.what());
    }
}

void Viewer::waitUntil(std::string what, std::function<bool()> condition) {
    waiting_ = Waiting{std::move(what), std::move(condition), now()};
}

void Viewer::hold(const std::string& key, uint32_t frames) {
    scriptedKeys_.insert(key);
    scriptedKeyFrames_ = frames;
    waitUntil(fmt::format("key {}", key), [this] { return scriptedKeys_.empty(); });
}

/// As many lines as need no frame in between.
void Viewer::runScript() {
    while (!closing_ && nextLine_ < options_.script.size()) {
        const ScriptLine& line = options_.script[nextLine_];
        if (waiting_) {
            if (!waiting_->until()) {
                if (now() - waiting_->since < kScriptPatience) return;
                throw Error("{}:{}: {} did not come within {:.0f} seconds", options_.scriptName, line.number, waiting_->what,
                            kScriptPatience);
            }
            waiting_.reset();
            ++nextLine_;
            continue;
        }
        if (pointer_.moving() || !screenshots_.empty() || work_.busy()) return;
        runLine(line);
        settling_ = kSettlingFrames;
        if (!waiting_) ++nextLine_;
    }
    if (!options_.script.empty() && nextLine_ == options_.script.size() && !pointer_.moving() && screenshots_.empty()) closing_ = true;
}

void Viewer::runLine(const ScriptLine& line) {
    try {
        Arguments arguments(line.action, line.arguments);
        actionByName(line.action).run(*this, arguments);
        arguments.finish();
    } catch (const InputError& problem) {
        throw InputError("{}:{}: {}", options_.scriptName, line.number, problem.what());
    }
}

void Viewer::takeReload() {
    const auto result = reloading_.poll();
    if (!result) return;
    stir();
    if (!result->problem.empty()) return work_.complain("shaders: " + indented(result->problem));
    ++work_.revision;
    work_.say(fmt::format("{} shaders compiled anew", result->reloaded.size()));
}

void Viewer::play(uint32_t frames, const std::filesystem::path& folder) {
    if (work_.flight.keys().size() < 2) throw InputError("the path has {} keys, expected at least 2", work_.flight.keys().size());
    playing_ = Playing{.frame = 0, .frames = std::max(frames, 2u), .folder = folder};
}

/// The next pose, once the picture of the one before is done where it is to be saved.
void Viewer::playOn() {
    if (!playing_ || viewport_->stale()) return;
    const bool saves = !playing_->folder.empty();
    if (saves && viewport_->waiting()) return;
    if (saves && playing_->frame > 0) writePng(playing_->file(playing_->frame - 1), viewport_->picture());
    if (playing_->frame == playing_->frames) {
        playing_.reset();
        return;
    }
    work_.giveBack();
    take(work_.navigator, work_.flight.at(static_cast<double>(playing_->frame) / (playing_->frames - 1)));
    ++playing_->frame;
    stir();
}

std::filesystem::path Viewer::Playing::file(uint32_t number) const { return folder / fmt::format("{:05}.png", number); }

void Viewer::record(uint32_t frames, const std::filesystem::path& folder) {
    recording_ = Playing{.frame = 0, .frames = frames, .folder = folder};
}

void Viewer::recordOn() {
    if (!recording_) return;
    writePng(recording_->file(recording_->frame), screen_.screenshot());
    if (++recording_->frame == recording_->frames) recording_.reset();
}

void Viewer::leave() {
    settling_ = kSettlingFrames;
    work_.question.unlessLost(work_.unsaved(), "Leave", [this] { quit(); });
}

void Viewer::resize(glm::uvec2 size) {
    if (window_) throw InputError("resize: there is a window, whose size is its own; expected --headless");
    screen_.resize(size);
}

void Viewer::frame() {
    const auto busy = [this] { return threadMicroseconds() - device_.waitedMicroseconds(); };
    const double before = busy();
    const double time = now();
    const double seconds = time - std::exchange(lastFrame_, time);
    if (settling_ > 0) --settling_;
    if (window_) {
        const glm::uvec2 size = window_->size();
        if (size.x == 0 || size.y == 0) return;  // as some systems say of a minimised one
        screen_.resize(size);
    }
    capturing_.before();
    ui_.begin(screen_.size(), seconds, pointer_.next());
    layOut();
    auto keys = window_ && !ui_.wantsKeys() ? window_->held() : std::set<std::string>();
    keys.insert(scriptedKeys_.begin(), scriptedKeys_.end());
    if (scriptedKeyFrames_ > 0 && --scriptedKeyFrames_ == 0) scriptedKeys_.clear();
    if (viewport_->handle(keys, std::min(seconds, kLongestStep))) settling_ = kSettlingFrames;
    viewport_->draw();
    screen_.show(ui_.end());
    if (const auto file = capturing_.after(!viewport_->stale() && !viewport_->waiting(), work_.training.get()))
        work_.say(fmt::format("{} is captured", file->string()));
    hostMilliseconds_ = 0.9 * hostMilliseconds_ + 0.1 * (busy() - before) * 1e-3;
    recordOn();
    takeScreenshots();
    ++frames_;
}

void Viewer::layOut() {
    Layout layout = drawLayout(*this);
    viewport_->place(layout.low, layout.high);
    work_.dialog.draw();
    work_.question.draw();
}

/// Not before everything on the screen is up to date; while training goes on it never is for long.
void Viewer::takeScreenshots() {
    if (screenshots_.empty()) return;
    const bool settled = settling_ == 0 && !viewport_->stale() && !viewport_->waiting();
    if (!settled && ++screenshotPatience_ < kScreenshotFrames) return;
    screenshotPatience_ = 0;
    const Image8 image = screen_.screenshot();
    for (const auto& path : std::exchange(screenshots_, {})) writePng(path, image);
}

}  // namespace splat::app
