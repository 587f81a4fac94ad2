#pragma once

#include <array>
#include <optional>

#include <splatwright/explain/pixel_look.h>
#include "viewer/scene/viewport.h"

namespace splat::app {

/// What the panel "See inside" shows: the pixel of the last query, read back from the last picture's buffers. Nothing is read or allocated unless the panel
/// asks.
class Inside {
public:
    /// Which steps of the pixel are shown, one after the other.
    enum class Shown { radix, network, blend };
    struct Stepper {
        int step = 0;
        bool playing = false;
        double next = 0;  ///< time of the next step, seconds
    };

    /// Reads the pixel anew if it or the picture has changed, and waits for that. Does nothing while a picture is in flight.
    void follow(gpu::Device& device, const Viewport& viewport, bool summed);
    const std::optional<explain::PixelLook>& look() const { return look_; }
    Stepper& stepper(Shown shown) { return steppers_[static_cast<size_t>(shown)]; }

private:
    glm::uvec2 pixel_{0};
    uint64_t picture_ = 0;
    std::optional<explain::PixelLook> look_;
    std::array<Stepper, 3> steppers_;
};

}  // namespace splat::app
