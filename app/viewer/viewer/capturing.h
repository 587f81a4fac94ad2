#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include <splatwright/gpu/capture.h>

namespace splat::app {

class Training;

/// Captures a frame or a training step with RenderDoc. Both take several frames of the viewer, because the captured work must be done.
class Capturing {
public:
    /// Captures from the next frame on until its picture is done. Throws Error if RenderDoc is not loaded.
    void captureFrame();
    /// Captures the next step, including frames drawn meanwhile, and then pauses training.
    void captureStep(Training& training);
    bool busy() const { return until_ != nullptr; }

    /// Call these before and after each frame; the second returns the file once it is written.
    void before();
    std::optional<std::filesystem::path> after(bool pictureDone, const Training* training);

private:
    void prepare(const std::string& title, std::function<bool(bool, const Training*)> until);

    std::optional<gpu::Capture> capture_;
    std::string title_;
    bool begun_ = false;
    std::function<bool(bool, const Training*)> until_;
    std::function<void()> start_;  ///< starts the captured work, after the capture has begun
    int number_ = 0;
};

}  // namespace splat::app
