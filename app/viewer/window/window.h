#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <splatwright/gpu/swapchain.h>
#include "viewer/files/remembered.h"

struct GLFWwindow;

namespace splat::app {

/// A key press.
struct KeyPress {
    std::string key;    ///< without modifiers
    std::string chord;  ///< with them: "F", "Ctrl+Z", "Shift+F", "F12", "Delete"
};

/// A desktop window: its size, key presses and dropped files. Pointer and text input reach Dear ImGui through its own backend.
class Window {
public:
    /// Throws Error if there is no display that Vulkan can draw to.
    Window(const std::string& title, glm::uvec2 size);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// Sets the device options that this window needs.
    void prepare(gpu::DeviceOptions& options) const;
    gpu::MakeSurface surface() const;

    /// Where it is now, for the next start; while it is maximised: where it was before.
    WindowPlace place() const;
    /// Puts it there if a monitor shows that.
    void setPlace(const WindowPlace& place);

    /// Processes events; wait() sleeps until there is one, or for the given time.
    void poll();
    void wait(double seconds);

    /// Pixels.
    glm::uvec2 size() const;
    /// Pixels per point: 2 on a high-density monitor.
    float scale() const;
    bool minimised() const { return minimised_; }
    /// Whether closing was requested since the last call.
    bool takeCloseRequest();

    /// Events since the last call, in order.
    std::vector<KeyPress> takeKeys();
    /// Keys held now, without modifiers.
    const std::set<std::string>& held() const { return held_; }
    std::vector<std::filesystem::path> takeDropped();
    /// Whether there were events since the last call, so that a frame may be needed.
    bool takeActivity();

    GLFWwindow* handle() const { return window_; }

private:
    static Window& of(GLFWwindow* window);
    void onKey(int key, int scancode, int action, int modifiers);
    void listen();
    void notePlace();

    GLFWwindow* window_ = nullptr;
    std::vector<KeyPress> keys_;
    std::set<std::string> held_;
    std::vector<std::filesystem::path> dropped_;
    bool activity_ = true, minimised_ = false;
    WindowPlace normal_;  ///< before it was maximised
};

}  // namespace splat::app
