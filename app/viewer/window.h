#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "gpu/swapchain.h"

struct GLFWwindow;

namespace splat::app {

/// A key that went down.
struct KeyPress {
    std::string key;    ///< without modifiers
    std::string chord;  ///< with them: "F", "Ctrl+Z", "Shift+F", "F12", "Delete"
};

/// A window of the desktop: its size, its keys, and the files that are dropped on it. The pointer and typed text go to Dear ImGui by its own
/// backend.
class Window {
public:
    /// Throws Error when there is no display, or none that Vulkan can draw on.
    Window(const std::string& title, glm::uvec2 size);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// Has a Vulkan device made that can draw here.
    void prepare(gpu::DeviceOptions& options) const;
    gpu::MakeSurface surface() const;

    /// Takes what has happened in; wait() sleeps until something does, or the time is over.
    void poll();
    void wait(double seconds);

    /// Pixels.
    glm::uvec2 size() const;
    /// Pixels a point: 2 on a dense monitor.
    float scale() const;
    bool minimised() const { return minimised_; }
    /// Whether somebody has asked to close it since the last call.
    bool takeCloseRequest();

    /// Since the last call, in their order.
    std::vector<KeyPress> takeKeys();
    /// Keys that are down now, without modifiers.
    const std::set<std::string>& held() const { return held_; }
    std::vector<std::filesystem::path> takeDropped();
    /// Whether anything has happened since the last call: a picture may have to be drawn.
    bool takeActivity();

    GLFWwindow* handle() const { return window_; }

private:
    static Window& of(GLFWwindow* window);
    void onKey(int key, int scancode, int action, int modifiers);
    void listen();
    void limitSize();

    GLFWwindow* window_ = nullptr;
    std::vector<KeyPress> keys_;
    std::set<std::string> held_;
    std::vector<std::filesystem::path> dropped_;
    bool activity_ = true, minimised_ = false;
};

}  // namespace splat::app
