#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "gpu/capture.h"

namespace splat::app {

class Training;

/// Hands a frame, or a step of training, to RenderDoc. Both take several frames of the viewer: what is captured has to be done.
class Capturing {
public:
    /// From the next frame on until its picture is done. Throws Error where RenderDoc is not loaded.
    void captureFrame();
    /// The next step, with whatever the window draws meanwhile; training is paused then.
    void captureStep(Training& training);
    bool busy() const { return until_ != nullptr; }

    /// Before and after each frame; the file, when there is one.
    void before();
    std::optional<std::filesystem::path> after(bool pictureDone, const Training* training);

private:
    void prepare(const std::string& title, std::function<bool(bool, const Training*)> until);

    std::optional<gpu::Capture> capture_;
    std::string title_;
    bool begun_ = false;
    std::function<bool(bool, const Training*)> until_;
    std::function<void()> start_;  ///< what the capture is of, once it has begun
    int number_ = 0;
};

}  // namespace splat::app
