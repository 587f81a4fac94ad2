#pragma once

#include <string>

#include <splatwright/gpu/swapchain.h>
#include "viewer/files/remembered.h"
#include "viewer/window/display.h"

struct GLFWwindow;

namespace splat::app {

/// A desktop window. Pointer and text input reach Dear ImGui through its own backend.
class Window final : public Display {
public:
    /// Throws Error if there is no display that Vulkan can draw to.
    Window(const std::string& title, glm::uvec2 size);
    ~Window() override;

    /// Sets the device options that this window needs.
    void prepare(gpu::DeviceOptions& options) const;
    gpu::MakeSurface surface() const override;

    /// Where it is now, for the next start; while it is maximised: where it was before.
    WindowPlace place() const;
    /// Puts it there if a monitor shows that.
    void setPlace(const WindowPlace& place);

    void poll() override;
    void wait(double seconds) override;
    glm::uvec2 size() const override;
    float scale() const override;
    bool minimised() const override { return minimised_; }
    bool takeCloseRequest() override;
    void attach() override;
    void detach() override;
    void beginFrame() override;

private:
    static Window& of(GLFWwindow* window);
    void onKey(int key, int scancode, int action, int modifiers);
    void listen();
    void notePlace();

    GLFWwindow* window_ = nullptr;
    bool minimised_ = false;
    WindowPlace normal_;  ///< before it was maximised
};

}  // namespace splat::app
