#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <splatwright/explain/pixel_look.h>
#include "viewer/viewer/inside_backward.h"
#include "viewer/viewer/inside_draw.h"

namespace splat::app {

/// What the panel "See inside" shows: the pixel of the last query, read back from the last picture's buffers. Nothing is read or allocated unless the panel
/// asks.
class Inside {
public:
    /// Which steps of the pixel are shown, one after the other.
    enum class Shown { blend, list, radix, network, gradient, additions, draw };
    static constexpr std::array<std::string_view, 7> kNames{"blend", "list", "radix", "network", "gradient", "additions", "draw"};
    struct Stepper {
        int step = 0;
        bool playing = false;
        double next = 0;  ///< time of the next step, seconds
    };
    /// What the user looks at.
    struct Choice {
        Shown shown = Shown::blend;
        uint32_t place = 0;                             ///< splat of the tile's list; at first the one that the pixel shows most
        uint32_t word = 5;                              ///< of its gradient; opacity
        std::optional<uint32_t> number = std::nullopt;  ///< random number of the draw; none: one that found a splat of the tile
    };
    /// Something that is read when it is first asked for, and the reason if it cannot be.
    template <class T>
    struct Part {
        std::unique_ptr<T> value;
        std::string lacks;
        uint64_t reading = 0;  ///< that it belongs to

        T* get() const { return value.get(); }
    };

    /// Reads the pixel anew if it or the picture has changed, and waits for that. Does nothing while a picture is in flight, or, for another picture of
    /// the same pixel, before rest() is over.
    void follow(Workspace& work, const Viewport& viewport);
    /// Reading that took so many seconds is followed by nine times as many without, at most five, so that a training that is looked at goes on.
    void rest(double seconds);
    /// The next follow() does not wait for the end of a rest.
    void hurry() { nextReading_ = 0; }
    /// Whether what has been read is of an earlier picture until a rest is over.
    bool isBehind() const { return isBehind_; }
    const std::optional<explain::PixelLook>& look() const { return look_; }

    // Read when they are first asked for since follow() has read the pixel; while a picture is in flight, what was read before. They wait.
    /// The picture drawn again, with the tile's instances before their sort.
    const Part<explain::TileFrame>& frame(Workspace& work, const Viewport& viewport);
    const Part<InsideBackward>& backward(Workspace& work, const Viewport& viewport);
    /// The last draw of the training whose model the pixel shows, once it is there; else the draw that would be next. Null: lacksDraw() says why.
    const InsideDraw* draw(Workspace& work, const Viewport& viewport);
    const std::string& lacksDraw() const { return draw_.lacks; }
    /// Whether the last draw is still to come.
    bool awaitsDraw() const { return awaitsDraw_; }
    // What has been read of them.
    const Part<explain::TileFrame>& frame() const { return frame_; }
    const Part<InsideBackward>& backward() const { return backward_; }
    const InsideDraw* draw() const { return shownDraw_; }
    /// The random number that is shown, of a draw that has some.
    uint32_t numberOf(const InsideDraw& draw) const;

    Stepper& stepper(Shown shown) { return steppers_[static_cast<size_t>(shown)]; }
    const Stepper& stepper(Shown shown) const { return steppers_[static_cast<size_t>(shown)]; }
    Choice choice;

private:
    bool isCurrent(const Viewport& viewport) const;
    template <class T, class Make>
    void read(Part<T>& part, const Viewport& viewport, const Make& make);

    glm::uvec2 pixel_{0};
    uint64_t picture_ = 0;
    uint64_t reading_ = 0;    ///< how often the pixel was read
    double nextReading_ = 0;  ///< time, seconds
    bool isBehind_ = false;
    std::optional<explain::PixelLook> look_;
    ViewPhotograph photograph_;
    Part<explain::TileFrame> frame_;
    Part<InsideBackward> backward_;  // after the frame that it reads
    Part<InsideDraw> draw_;
    LastDraw lastDraw_;
    bool awaitsDraw_ = false;
    const InsideDraw* shownDraw_ = nullptr;  ///< one of both
    std::array<Stepper, kNames.size()> steppers_;
};

}  // namespace splat::app
