#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <splatwright/gpu/screen.h>
#include "viewer/scene/viewport.h"
#include "viewer/scene/workspace.h"
#include "viewer/viewer/autosaving.h"
#include "viewer/viewer/capturing.h"
#include "viewer/viewer/inside.h"
#include "viewer/viewer/reloading.h"
#include "viewer/viewer/wait.h"
#include "viewer/widgets/message.h"
#include "viewer/window/display.h"
#include "viewer/window/scripted_pointer.h"
#include "viewer/window/ui.h"

namespace splat::app {

class Viewer;

/// The rectangle that menus and panels leave for the world, pixels of the screen.
struct Layout {
    glm::ivec2 low{0};
    glm::ivec2 high{0};
};

/// Which panels are open, by their titles.
using OpenPanels = std::map<std::string, bool, std::less<>>;

/// What is built on the viewer: its panels, its actions, and what drives it.
struct ViewerHooks {
    OpenPanels panels;  ///< all of them, as they are initially
    /// Draws the menu, the panels on both sides and the status bar.
    std::function<Layout(Viewer&)> drawPanels;
    /// Whether the last notice fits into the status bar. Called between Ui::begin() and end().
    std::function<bool(Viewer&)> fitsStatus;
    /// Performs an action by its name.
    std::function<void(Viewer&, std::string_view)> act;
    /// Name of the action of a key; empty: none.
    std::function<std::string_view(std::string_view)> actionOf;
    /// Runs lines of a script until a frame is needed; false: it has ended. Null: there is no script.
    std::function<bool(Viewer&)> advance;
    std::function<bool()> leaveWhen = [] { return false; };
    /// Called between frames every few seconds, to keep what the next start takes on. Null: nothing is kept.
    std::function<void(Viewer&)> keep;
};

struct ViewerOptions {
    glm::uvec2 size{1600, 900};
    bool verticalSync = true;
    float scale = 0;                ///< pixels per point; 0: the display's
    bool sizeIsGiven = false;       ///< by the user: else a window is as large as the last one
    bool remembers = true;          ///< recent files, layout and tools, in the user's folder
    float autosave = 60;            ///< seconds from one to the next; 0: none
    std::filesystem::path shaders;  ///< kernel sources for reloading; empty: those of the build
};

/// The viewer: handles events, draws panels and world, and presents the result. One call of frame() is one frame of the screen; nothing is drawn
/// while nothing changes.
class Viewer {
public:
    /// display: null to draw without one, as scripts may.
    Viewer(gpu::Device& device, const primitives::RadixSort& sort, Display* display, const ViewerOptions& options, ViewerHooks hooks);
    ~Viewer();

    /// Runs until the window is closed or the script ends. Throws the errors of the script's actions.
    void run();

    Workspace& work() { return work_; }
    const Workspace& work() const { return work_; }
    Ui& ui() { return ui_; }
    Viewport& viewport() { return *viewport_; }
    const Viewport& viewport() const { return *viewport_; }
    ScriptedPointer& pointer() { return pointer_; }
    Reloading& reloading() { return reloading_; }
    Capturing& capturing() { return capturing_; }
    Autosaving& autosaving() { return autosaving_; }
    const Autosaving& autosaving() const { return autosaving_; }
    Inside& inside() { return inside_; }
    const Inside& inside() const { return inside_; }

    /// Performs an action by name, as a key or a menu does. Errors are shown in the status bar.
    void act(std::string_view action);
    /// Sends a key to one receiver: the open dialog, else the text field being edited, else its action. Returns false if it would go to an action
    /// and none has this key.
    bool press(std::string_view chord);
    KeyOwner keyOwner() const;
    /// Runs a function and shows its errors in the status bar.
    void attempt(const std::function<void()>& something);
    /// Asks first if something would be lost.
    void leave();
    void quit() { closing_ = true; }
    bool closing() const { return closing_; }
    /// Saves the screen after this frame: the view alone, or everything.
    void screenshot(const std::filesystem::path& path, bool panels) { screenshots_.push_back({path, panels}); }
    void resize(glm::uvec2 size);
    /// Pixels per point of panels and text; 0: the display's.
    void setScale(float scale) { scale_ = scale; }
    glm::uvec2 size() const { return screen_.size(); }
    /// Ends the script's line when the condition holds; ignored outside of one.
    void waitUntil(Wait wait) {
        if (line_.begun) line_.wait = std::move(wait);
    }
    /// The script's line.
    struct Line {
        bool begun = false;
        Wait wait;  ///< without `until`: none
    };
    Line& line() { return line_; }
    /// Whether all requests to the pointer, the screen and the disk are done.
    bool settled() const { return !pointer_.moving() && screenshots_.empty() && !work_.busy(); }
    /// Whether no frame can be drawn.
    bool asleep() const { return display_ && display_->minimised(); }
    /// Draws a frame next even if nothing changes.
    void stir() { settling_ = std::max(settling_, 1u); }
    /// Draws several frames, after an event.
    void settle();
    /// Plays the camera path in this number of frames, and saves each as PNG if a folder is given.
    void play(uint32_t frames, const std::filesystem::path& folder);
    bool playing() const { return playing_.has_value(); }
    /// Saves the next frames of the screen as PNG without waiting for pictures, as a user sees them.
    void record(uint32_t frames, const std::filesystem::path& folder);
    bool recording() const { return recording_.has_value(); }
    /// Holds a key for some frames of a script.
    void hold(const std::string& key, uint32_t frames);
    Message& message() { return message_; }
    bool& showsPanels() { return showsPanels_; }
    /// Whether a panel is open, by its title.
    OpenPanels& openPanels() { return openPanels_; }
    /// Opens a panel, in front of the others of its dock.
    void showPanel(const std::string& title) {
        openPanels_.at(title) = true;
        frontPanel_ = title;
    }
    bool takeFront(std::string_view title) { return frontPanel_ == title && !std::exchange(frontPanel_, "").empty(); }
    /// Opens and docks panels as initially. It takes two frames: those that were closed are windows again in the second.
    void resetLayout();
    bool takeLayoutReset() { return layoutResets_ > 0 && layoutResets_-- > 0; }
    bool showsPanels() const { return showsPanels_; }
    bool& showsHelp() { return showsHelp_; }
    bool showsHelp() const { return showsHelp_; }
    /// Recent CPU time of this thread per frame, without waiting for the GPU.
    double hostMilliseconds() const { return hostMilliseconds_; }
    /// GPU milliseconds of the panels.
    double paintMilliseconds() const { return screen_.milliseconds(); }
    /// Number of frames so far.
    uint64_t frames() const { return frames_; }

private:
    void takeEvents();
    void deliver();
    void takeNews();
    void keep();
    void offerRecovery();
    bool restless() const;
    void frame();
    void fitScale();
    void layOut();
    void takeScreenshots();
    void playOn();

    /// Frames to save one by one.
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
    Display* display_;
    ViewerHooks hooks_;
    gpu::Screen screen_;
    Ui ui_;
    Workspace work_;
    std::optional<Viewport> viewport_;
    ScriptedPointer pointer_;
    Reloading reloading_;
    Capturing capturing_;
    Autosaving autosaving_;
    Inside inside_;
    Message message_;
    Line line_;
    std::optional<Playing> playing_, recording_;
    std::set<std::string> scriptedKeys_;
    uint32_t scriptedKeyFrames_ = 0;
    std::set<std::string> viewKeys_;  ///< keys that the view received when pressed
    std::vector<Screenshot> screenshots_;
    uint32_t screenshotPatience_ = 0;
    bool news_ = false;  ///< there are changes that no frame shows yet
    bool noticeShows_ = false;
    uint64_t noticeRead_ = 0;  ///< number of the last notice that was checked
    bool closing_ = false, showsPanels_ = true, showsHelp_ = false;
    uint32_t layoutResets_ = 0;  ///< frames that build the default layout
    OpenPanels openPanels_;
    std::string frontPanel_;  ///< comes to the front in the next frame
    float scale_;             ///< 0: the display's
    uint32_t settling_ = 3;   ///< frames until the panels are stable after an event
    uint64_t frames_ = 0;
    double lastFrame_ = 0, lastKept_ = 0, hostMilliseconds_ = 0;
};

}  // namespace splat::app
