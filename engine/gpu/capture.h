#pragma once

#include <filesystem>
#include <string>

namespace splat::gpu {

/// Hands what happens between begin() and end() to RenderDoc, through its in-application API. Prepare before the first Instance is made, so
/// that RenderDoc's layer comes along without its launcher.
class Capture {
public:
    /// Asks the loader for RenderDoc's layer.
    static void prepare();

    /// Has RenderDoc, where it is loaded, draw nothing over the window.
    static void hideOverlay();

    /// Captures go to `<stem>_capture.rdc` as RenderDoc numbers them. Throws Error when RenderDoc is not loaded or this build lacks its header.
    explicit Capture(const std::filesystem::path& stem);

    void begin(const std::string& title);
    /// The file written. Throws Error when RenderDoc captured nothing.
    std::filesystem::path end();

private:
    void* api_ = nullptr;
    std::string title_;
};

}  // namespace splat::gpu
