#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/screen.h"
#include "viewer/capturing.h"
#include "viewer/message.h"
#include "viewer/reloading.h"
#include "viewer/script.h"
#include "viewer/script_run.h"
#include "viewer/ui.h"
#include "viewer/viewport.h"
#include "viewer/window.h"
#include "viewer/workspace.h"

namespace splat::app {

struct ViewerOptions {
    glm::uvec2 size{1600, 900};
    bool verticalSync = true;
    float scale = 0;  ///< pixels a point; 0: the display's
    bool keepsRecent = true;
    std::vector<ScriptLine> script;
    std::string scriptName;         ///< for messages
    std::filesystem::path shaders;  ///< kernels' sources for reloading; empty: those of the build
    std::function<bool()> leaveWhen = [] { return false; };
};

/// The viewer: takes in what happened, lets the panels draw, and shows it. One call of frame() is one picture of the screen; while nothing
/// moves there is none.
class Viewer {
public:
    /// window: none to draw without a display, as scripts may.
    Viewer(gpu::Device& device, const primitives::RadixSort& sort, Window* window, ViewerOptions options);
    ~Viewer();

    /// Until it is closed or the script ends. Throws what a script's action throws.
    void run();

    Workspace& work() { return work_; }
    const Workspace& work() const { return work_; }
    Viewport& viewport() { return *viewport_; }
    const Viewport& viewport() const { return *viewport_; }
    ScriptedPointer& pointer() { return pointer_; }
    Reloading& reloading() { return reloading_; }
    Capturing& capturing() { return capturing_; }

    /// Does an action by its name, as a key or a menu does; what it complains about stands in the status bar.
    void act(std::string_view action);
    /// A key goes to one place: the dialog that is open, else the text that is edited, else the action whose key it is. False where it is for an
    /// action, and none has it.
    bool press(std::string_view chord);
    KeyOwner keyOwner() const;
    /// Does something, and says in the status bar what went wrong.
    void attempt(const std::function<void()>& something);
    /// Asks first where something would be lost.
    void leave();
    void quit() { closing_ = true; }
    bool closing() const { return closing_; }
    /// Writes what the screen shows after this frame: the view alone, or everything.
    void screenshot(const std::filesystem::path& path, bool panels) { screenshots_.push_back({path, panels}); }
    void resize(glm::uvec2 size);
    glm::uvec2 size() const { return screen_.size(); }
    /// The script's line ends when this is so.
    void waitUntil(Wait wait) { script_.waitUntil(std::move(wait)); }
    /// Whether nothing is on its way that was asked of the pointer, the screen or the disk.
    bool settled() const { return !pointer_.moving() && screenshots_.empty() && !work_.busy(); }
    /// Whether no frame can come.
    bool asleep() const { return window_ && window_->minimised(); }
    /// A frame comes next, whether anything moves or not.
    void stir() { settling_ = std::max(settling_, 1u); }
    /// Several, after something has happened.
    void settle();
    /// Flies along the path in so many frames; into a folder, each as PNG, where one is given.
    void play(uint32_t frames, const std::filesystem::path& folder);
    bool playing() const { return playing_.has_value(); }
    /// Saves the next so many frames of the screen as PNG, as a person sees them: none is waited for.
    void record(uint32_t frames, const std::filesystem::path& folder);
    bool recording() const { return recording_.has_value(); }
    /// Keeps a key down for some frames of a script.
    void hold(const std::string& key, uint32_t frames);
    Message& message() { return message_; }
    bool& showsPanels() { return showsPanels_; }
    bool& showsHelp() { return showsHelp_; }
    /// CPU time of this thread a frame, lately; without waiting for the GPU.
    double hostMilliseconds() const { return hostMilliseconds_; }
    /// GPU time of the panels.
    double paintMilliseconds() const { return screen_.milliseconds(); }
    /// Frames so far.
    uint64_t frames() const { return frames_; }

private:
    void takeEvents();
    void takeNews();
    void takeAnswers();
    void takeNotices();
    void readMessages();
    bool restless() const;
    void frame();
    void takeCapture();
    void layOut();
    void drawPanels();
    void takeScreenshots();
    void playOn();
    void recordOn();
    void takeReload();

    /// Frames that are saved one by one.
    struct Playing {
        uint32_t frame = 0, frames = 0;
        std::filesystem::path folder;

        std::filesystem::path file(uint32_t number) const;
    };
    struct Screenshot {
        std::filesystem::path path;
        bool panels = false;
    };

    gpu::Device& device_;
    Window* window_;
    ViewerOptions options_;
    gpu::Screen screen_;
    Ui ui_;
    Workspace work_;
    std::optional<Viewport> viewport_;
    ScriptedPointer pointer_;
    Reloading reloading_;
    Capturing capturing_;
    Message message_;
    ScriptRun script_;
    std::optional<Playing> playing_, recording_;
    std::set<std::string> scriptedKeys_;
    uint32_t scriptedKeyFrames_ = 0;
    std::set<std::string> viewKeys_;  ///< that went to the view when they went down
    std::vector<Screenshot> screenshots_;
    uint32_t screenshotPatience_ = 0;
    bool news_ = false;  ///< that no frame has shown yet
    bool noticeShows_ = false;
    uint64_t noticeRead_ = 0;  ///< number of the last one that was looked at
    bool closing_ = false, showsPanels_ = true, showsHelp_ = false;
    uint32_t settling_ = 3;  ///< frames until panels have come to rest after something happened
    uint64_t frames_ = 0;
    double lastFrame_ = 0, hostMilliseconds_ = 0;
};

}  // namespace splat::app
