#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <splatwright/core/image.h>
#include <splatwright/gpu/swapchain.h>

namespace splat::app {

/// A key press.
struct KeyPress {
    std::string key;    ///< without modifiers
    std::string chord;  ///< with them: "F", "Ctrl+Z", "Shift+F", "F12", "Delete"
};

/// Where a user sees the viewer and acts on it: a window of the desktop, or a browser's page. Pointer and text input go to Dear ImGui.
class Display {
public:
    Display() = default;
    virtual ~Display() = default;
    Display(const Display&) = delete;
    Display& operator=(const Display&) = delete;

    /// Surface of a window; empty where frames are not presented by Vulkan.
    virtual gpu::MakeSurface surface() const { return {}; }
    /// Whether the desktop's dialogs open beside it.
    virtual bool isOnDesktop() const { return true; }

    /// Processes events; wait() sleeps until there is one, or for the given time.
    virtual void poll() = 0;
    virtual void wait(double seconds) = 0;

    /// Pixels.
    virtual glm::uvec2 size() const = 0;
    /// Pixels per point: 2 on a high-density monitor.
    virtual float scale() const = 0;
    /// Whether nobody can see it.
    virtual bool minimised() const = 0;
    /// Whether closing was requested since the last call.
    virtual bool takeCloseRequest() { return false; }

    /// Connects it with Dear ImGui's context, and at the end separates both; beginFrame() comes before each frame of Dear ImGui.
    virtual void attach() = 0;
    virtual void detach() = 0;
    virtual void beginFrame() = 0;

    /// Whether show() gets the frames, 4 channels.
    virtual bool wantsFrames() const { return false; }
    virtual void show(Image8 /*frame*/) {}  // NOLINT(performance-unnecessary-value-param): who shows it keeps it

    /// Events since the last call, in order.
    std::vector<KeyPress> takeKeys() { return std::exchange(keys_, {}); }
    /// Keys held now, without modifiers.
    const std::set<std::string>& held() const { return held_; }
    std::vector<std::filesystem::path> takeDropped() { return std::exchange(dropped_, {}); }
    /// Whether there were events since the last call, so that a frame may be needed.
    bool takeActivity() { return std::exchange(activity_, false); }

protected:
    std::vector<KeyPress> keys_;
    std::set<std::string> held_;
    std::vector<std::filesystem::path> dropped_;
    bool activity_ = true;
};

}  // namespace splat::app
