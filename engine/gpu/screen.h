#pragma once

#include <array>
#include <memory>
#include <optional>

#include <splatwright/core/image.h>
#include <splatwright/gpu/canvas.h>
#include <splatwright/gpu/painter.h>
#include <splatwright/gpu/swapchain.h>

namespace splat::gpu {

/// Draws paintings on a canvas and presents them if there is a window. Up to three frames are in flight: show() waits only for the third frame
/// before it, and for the window's presentation.
class Screen {
public:
    /// Without a surface nothing is presented; everything else works, screenshots included.
    Screen(Device& device, glm::uvec2 size, MakeSurface makeSurface = {}, bool verticalSync = true);
    ~Screen();
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

    glm::uvec2 size() const { return canvas_->size(); }
    /// Waits for all frames in flight.
    void resize(glm::uvec2 size);
    /// Textures must not change until the ticket is done.
    Ticket show(const Painting& painting);
    /// The last frame, 3 channels; waits for it.
    Image8 screenshot();
    /// Whether the frames from the next on are also copied to the host, for takeFrame().
    void readFrames(bool reads) { readsFrames_ = reads; }
    /// The newest frame that has been copied since the last call, 4 channels; older ones are dropped. Never waits.
    std::optional<Image8> takeFrame();
    /// Whether a frame is on its way to takeFrame().
    bool hasFrameInFlight() const;
    /// GPU milliseconds of a recent frame; 0 without timestamps.
    double milliseconds() const { return milliseconds_; }

private:
    static constexpr size_t kInFlight = 3;

    struct Slot {
        VkCommandPool pool = VK_NULL_HANDLE;
        VkCommandBuffer commands = VK_NULL_HANDLE;
        VkQueryPool stamps = VK_NULL_HANDLE;   ///< at begin and end; null without timestamps
        VkSemaphore arrived = VK_NULL_HANDLE;  ///< signalled when the window's image is acquired
        std::unique_ptr<PaintScratch> scratch;
        Buffer frame;             ///< copy on the host, of a frame to take or of an earlier one
        glm::uvec2 frameSize{0};  ///< pixels of the frame to take; 0: none
        uint64_t frameNumber = 0;
        Ticket ticket = 0;
    };

    void record(const Slot& slot, const Painting& painting, const std::optional<Swapchain::Target>& target) const;
    void recordCopy(const Slot& slot) const;
    void prepareCopy(Slot& slot) const;
    void finish();

    Device& device_;
    std::unique_ptr<Canvas> canvas_;
    std::unique_ptr<Painter> painter_;
    std::unique_ptr<Swapchain> swapchain_;
    std::array<Slot, kInFlight> slots_;
    uint64_t shown_ = 0;
    double milliseconds_ = 0;
    bool readsFrames_ = false;
};

}  // namespace splat::gpu
