#pragma once

#include <filesystem>
#include <string>

namespace splat::gpu {

/// Captures the GPU work between begin() and end() with RenderDoc's in-application API. Call prepare() before the first Instance is made:
/// it loads RenderDoc's layer without RenderDoc's launcher.
class Capture {
public:
    /// Makes the Vulkan loader load RenderDoc's layer.
    static void prepare();

    /// Turns RenderDoc's overlay off, if RenderDoc is loaded.
    static void hideOverlay();

    /// Captures are written to `<stem>_capture.rdc`, numbered by RenderDoc. Throws Error if RenderDoc is not loaded or this build lacks its
    /// header.
    explicit Capture(const std::filesystem::path& stem);

    void begin(const std::string& title);
    /// Returns the written file. Throws Error if RenderDoc captured nothing.
    std::filesystem::path end();

private:
    void* api_ = nullptr;
    std::string title_;
};

}  // namespace splat::gpu
