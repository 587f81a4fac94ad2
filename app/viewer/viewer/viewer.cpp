#include "viewer/viewer/viewer.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include <imgui.h>
#include <imgui_internal.h>

#include <splatwright/core/log.h>
#include <splatwright/core/names.h>
#include <splatwright/core/threads.h>
#include <splatwright/gpu/check.h>
#include <splatwright/scene/images/image_file.h>
#include "viewer/window/clock.h"
#include "viewer/window/style.h"

namespace splat::app {

namespace {

constexpr uint32_t kSettlingFrames = 3;     // Dear ImGui needs one or two until all widgets show a click
constexpr double kLongestSleep = 0.25;      // seconds between checks for results of other threads
constexpr uint32_t kScreenshotFrames = 60;  // frames that a screenshot waits at most for a stable screen
constexpr double kKeepSeconds = 2;          // between checks for what the next start takes on: a crash loses no more
constexpr double kLongestStep = 0.1;        // seconds of camera path per frame, at most

/// Crops an image to the rectangle between two corners, clamped to the image; at least one pixel.
Image8 cut(const Image8& image, glm::ivec2 low, glm::ivec2 high) {
    const glm::ivec2 size(image.width, image.height);
    low = glm::clamp(low, glm::ivec2(0), size - 1);
    high = glm::clamp(high, low + 1, size);
    Image8 part(high.x - low.x, high.y - low.y, image.channels);
    for (int y = 0; y < part.height; ++y) std::copy_n(image.at(low.x, low.y + y).data(), part.width * part.channels, part.at(0, y).data());
    return part;
}

/// After a frame: whether the next differs even if nothing happens, as what lies behind a dialog becomes darker or lighter.
bool fades() {
    const float dark = ImGui::GetCurrentContext()->DimBgRatio;
    return ImGui::GetTopMostPopupModal() ? dark < 1 : dark > 0;
}

}  // namespace

Viewer::Viewer(gpu::Device& device, const primitives::RadixSort& sort, Display* display, const ViewerOptions& options, ViewerHooks hooks)
    : device_(device),
      display_(display),
      hooks_(std::move(hooks)),
      screen_(device, display ? glm::max(display->size(), 1u) : options.size, display ? display->surface() : gpu::MakeSurface{},
              options.verticalSync),
      ui_(device, display,
          options.scale > 0 ? options.scale
          : display         ? display->scale()
                            : 1),
      work_(device, sort, options.remembers ? RecentFiles::defaultList() : std::filesystem::path()),
      viewport_(std::in_place, work_),
      reloading_(device, options.shaders),
      autosaving_(options.autosave > 0 ? Autosaving::defaultFolder() : std::filesystem::path(), options.autosave),
      openPanels_(hooks_.panels),
      scale_(options.scale),
      lastFrame_(now()),
      lastKept_(now()) {
    work_.question.asks = !hooks_.advance;
    if (autosaving_.hasLeft()) offerRecovery();
    if (!display || !display->isOnDesktop()) return;
    gpu::Capture::hideOverlay();
    if (!hooks_.advance) work_.dialog.useDesktop();  // scripts have no one to answer it
}

/// Buffers shown by the last frames must live until those are done.
Viewer::~Viewer() {
    try {
        device_.waitForAll();
    } catch (const Error& e) {
        spdlog::debug("while leaving the viewer: {}", e.what());
    }
}

void Viewer::run() {
    while (!closing_ && !hooks_.leaveWhen()) {
        takeEvents();
        deliver();
        for (const auto& answer : {work_.question.takeAgreed(), work_.prepareDialog.takeChosen(), work_.dialog.takeChosen()}) {
            if (!answer) continue;
            work_.hush();
            attempt(answer);
        }
        takeNews();
        if (viewport_->poll() || work_.comparing.tick(now())) settling_ = std::max(settling_, 1u);
        if (const auto reload = reloading_.poll()) {
            stir();
            if (reload->problem.empty()) {
                ++work_.revision;
                work_.say(fmt::format("{} shaders compiled anew", reload->reloaded.size()));
            } else {
                work_.complain("shaders: " + indented(reload->problem));
            }
        }
        if (std::exchange(noticeShows_, work_.notice().isFresh()) != noticeShows_) stir();  // the status bar's message comes or goes
        if (hooks_.advance && !hooks_.advance(*this)) return;
        playOn();
        if (restless()) {
            frame();
        } else if (!display_) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));  // a script waits for other threads
        }
        keep();
    }
}

void Viewer::offerRecovery() {
    work_.question.offer("Recover", {"The viewer ended without leaving. What was open then has been saved."},
                         {"Discard", [this] { autosaving_.discard(); }}, {"Recover", [this] { autosaving_.recover(work_); }});
}

void Viewer::keep() {
    autosaving_.update(work_);
    if (!hooks_.keep || now() - lastKept_ < kKeepSeconds) return;
    hooks_.keep(*this);
    lastKept_ = now();
}

/// Sleeps if there is nothing to draw.
void Viewer::takeEvents() {
    if (!display_) return;
    if (restless()) {
        display_->poll();
    } else {
        const bool soon = work_.busy() || reloading_.busy() || viewport_->scoring() || work_.comparing.blinks() || work_.training ||
                          work_.isPreparing() || work_.dialog.isOpen() || hooks_.advance;
        display_->wait(viewport_->waiting() || screen_.hasFrameInFlight() ? 0.001 : soon ? 0.01 : kLongestSleep);
    }
    if (display_->takeActivity()) settle();
    if (display_->takeCloseRequest()) work_.question.open() ? quit() : leave();
    for (const auto& path : display_->takeDropped()) work_.open(path);
    std::erase_if(viewKeys_, [&](const std::string& key) { return !display_->held().contains(key); });
    for (const KeyPress& pressed : display_->takeKeys()) {
        if (keyOwner() == KeyOwner::view) viewKeys_.insert(pressed.key);
        press(pressed.chord);
    }
}

/// Frames reach a display that does not present them itself once the GPU has copied them.
void Viewer::deliver() {
    if (!display_) return;
    screen_.readFrames(display_->wantsFrames());
    if (auto frame = screen_.takeFrame()) display_->show(std::move(*frame));
}

KeyOwner Viewer::keyOwner() const {
    if (message_.open() || work_.question.open() || work_.prepareDialog.isOpen() || work_.dialog.isOpen() ||
        ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup))  // a menu, a combo box or a dialog
        return KeyOwner::dialog;
    return ImGui::GetIO().WantTextInput ? KeyOwner::text : KeyOwner::view;
}

bool Viewer::press(std::string_view chord) {
    switch (keyOwner()) {
        case KeyOwner::dialog:
            settle();
            if (message_.open()) {
                message_.press(chord);
            } else if (work_.question.open()) {
                work_.question.press(chord);
            } else if (work_.prepareDialog.isOpen()) {
                work_.prepareDialog.press(chord);
            } else {
                work_.dialog.press(chord);
            }
            return true;
        case KeyOwner::text: return true;  // Dear ImGui receives it by itself
        case KeyOwner::view: break;
    }
    const std::string_view action = hooks_.actionOf(chord);
    if (!action.empty()) act(action);
    return !action.empty();
}

void Viewer::resetLayout() {
    layoutResets_ = 2;
    openPanels_ = hooks_.panels;
}

void Viewer::settle() { settling_ = kSettlingFrames; }

/// Whether the next frame would differ from the last one and could be seen.
bool Viewer::restless() const {
    if (asleep()) return false;
    const bool keys = !scriptedKeys_.empty() || !viewKeys_.empty();
    return settling_ > 0 || recording_ || capturing_.busy() || pointer_.moving() || keys ||
           (!screenshots_.empty() && !viewport_->waiting()) || viewport_->stale();
}

/// Training progress is shown with the frames that the viewer's share of the GPU allows.
void Viewer::takeNews() {
    const double cost = viewport_->milliseconds() + screen_.milliseconds();
    news_ |= work_.update(cost);
    if (!news_ || (work_.training && now() - lastFrame_ < work_.training->pause(cost))) return;
    news_ = false;
    stir();
}

void Viewer::act(std::string_view action) {
    work_.hush();
    attempt([&] { hooks_.act(*this, action); });
}

void Viewer::attempt(const std::function<void()>& something) {
    settle();
    try {
        something();
    } catch (const gpu::DeviceLost&) {
        throw;
    } catch (const Error& problem) {
        work_.complain(problem.what());
    } catch (const std::filesystem::filesystem_error& problem) {
        work_.complain(problem.what());
    }
}

void Viewer::hold(const std::string& key, uint32_t frames) {
    scriptedKeys_.insert(key);
    scriptedKeyFrames_ = frames;
    waitUntil({.what = fmt::format("key {}", key), .until = [this] { return scriptedKeys_.empty(); }, .needsFrames = true});
}

void Viewer::play(uint32_t frames, const std::filesystem::path& folder) {
    if (work_.flight.keys().size() < 2) throw InputError("the path has {} keys, expected at least 2", work_.flight.keys().size());
    playing_ = Playing{.frame = 0, .frames = std::max(frames, 2u), .folder = folder};
}

/// Moves to the path's next pose; if frames are saved, only once the frame before is done.
void Viewer::playOn() {
    if (!playing_ || viewport_->stale()) return;
    const bool saves = !playing_->folder.empty();
    if (saves && viewport_->waiting()) return;
    const uint64_t problems = work_.problems();
    if (saves && playing_->frame > 0) attempt([this] { writePng(playing_->file(playing_->frame - 1), viewport_->picture()); });
    if (playing_->frame == playing_->frames || work_.problems() != problems) {
        playing_.reset();
        return;
    }
    work_.giveBack();
    work_.pathTime = work_.flight.seconds() * playing_->frame / (playing_->frames - 1);
    take(work_.navigator, work_.flight.at(work_.pathTime));
    ++playing_->frame;
    stir();
}

std::filesystem::path Viewer::Playing::file(uint32_t number) const { return folder / fmt::format("{:05}.png", number); }

void Viewer::record(uint32_t frames, const std::filesystem::path& folder) {
    recording_ = Playing{.frame = 0, .frames = frames, .folder = folder};
}

void Viewer::leave() {
    settle();
    work_.question.unlessLost(work_.unsaved(), "Leave", [this] { quit(); });
}

void Viewer::resize(glm::uvec2 size) {
    if (display_) throw InputError("resize: only works with --headless, as a window has its own size");
    screen_.resize(size);
}

void Viewer::frame() {
    const auto busy = [this] { return threadMicroseconds() - device_.waitedMicroseconds(); };
    const double before = busy();
    const double time = now();
    const double seconds = time - std::exchange(lastFrame_, time);
    if (settling_ > 0) --settling_;
    if (display_) {
        const glm::uvec2 size = display_->size();
        if (size.x == 0 || size.y == 0) return;  // some systems report this for a minimised window
        screen_.resize(size);
    }
    if (capturing_.busy()) attempt([this] { capturing_.before(); });
    fitScale();
    ui_.begin(screen_.size(), seconds, pointer_.next(), keyOwner());
    layOut();
    auto keys = keyOwner() == KeyOwner::view ? viewKeys_ : std::set<std::string>();
    keys.insert(scriptedKeys_.begin(), scriptedKeys_.end());
    if (scriptedKeyFrames_ > 0 && --scriptedKeyFrames_ == 0) scriptedKeys_.clear();
    if (viewport_->handle(keys, std::min(seconds, kLongestStep))) settle();
    if (!ImGui::IsAnyItemActive() && !work_.gizmo.isUsed()) work_.history.endDrag();
    viewport_->draw();
    screen_.show(ui_.end());
    if (fades()) stir();
    if (capturing_.busy()) {
        attempt([this] {
            const auto file = capturing_.after(!viewport_->stale() && !viewport_->waiting(), work_.training.get());
            if (file) work_.say(fmt::format("{} is captured", std::filesystem::absolute(*file).string()));
        });
    }
    hostMilliseconds_ = 0.9 * hostMilliseconds_ + 0.1 * (busy() - before) * 1e-3;
    if (recording_) {
        const uint64_t problems = work_.problems();
        attempt([this] { writePng(recording_->file(recording_->frame), screen_.screenshot()); });
        if (++recording_->frame == recording_->frames || work_.problems() != problems) recording_.reset();
    }
    takeScreenshots();
    ++frames_;
}

/// The display's scale changes when the window moves to another monitor. The first frame has the scale of the layout that is remembered.
void Viewer::fitScale() {
    const float scale = scale_ > 0 ? scale_ : display_ ? display_->scale() : points(1);
    if (frames_ == 0 || scale == points(1)) return;
    work_.selecting.brushRadius *= scale / points(1);
    ui_.rescale(scale);
    settle();
}

void Viewer::layOut() {
    const Layout layout = hooks_.drawPanels(*this);
    viewport_->place(layout.low, layout.high);
    // Open a problem in full if it does not fit into the status bar and there is a window.
    const Notice& notice = work_.notice();
    const bool isNew = std::exchange(noticeRead_, notice.number) != notice.number;
    if (isNew && notice.problem && !hooks_.advance && (!showsPanels_ || !hooks_.fitsStatus(*this))) message_.show(notice.text);
    // One at a time: Dear ImGui closes a dialog when another one opens over it.
    message_.draw();
    if (message_.open()) return;
    work_.question.draw();
    if (work_.question.open()) return;
    work_.prepareDialog.draw();
    if (!work_.prepareDialog.isOpen()) work_.dialog.draw();
}

/// Saves once the screen is up to date, or after a while, since during training it rarely is.
void Viewer::takeScreenshots() {
    if (screenshots_.empty()) return;
    const bool settled = settling_ == 0 && !viewport_->stale() && !viewport_->waiting();
    if (!settled && ++screenshotPatience_ < kScreenshotFrames) return;
    screenshotPatience_ = 0;
    const auto [low, high] = viewport_->region();
    const Image8 all = screen_.screenshot();
    const bool alone = std::ranges::any_of(screenshots_, [](const Screenshot& s) { return !s.panels; });
    if (alone) screen_.show(ui_.background());  // windows may lie over the view
    const Image8 view = alone ? cut(screen_.screenshot(), low, high) : Image8();
    for (const Screenshot& s : std::exchange(screenshots_, {}))
        attempt([&] {
            writePng(s.path, s.panels ? all : view);
            work_.say(fmt::format("{} is saved", std::filesystem::absolute(s.path).string()));
        });
}

}  // namespace splat::app
