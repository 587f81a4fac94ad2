#pragma once

#include <array>
#include <memory>
#include <optional>

#include "core/image.h"
#include "gpu/canvas.h"
#include "gpu/painter.h"
#include "gpu/swapchain.h"

namespace splat::gpu {

/// What a person sees: paintings on a canvas, shown in a window where there is one. A few are in flight; showing one waits for none but the
/// third before it, and for the window's own rhythm.
class Screen {
public:
    /// Without a surface nothing is shown, and all else is the same: screenshots, for one.
    Screen(Device& device, glm::uvec2 size, MakeSurface makeSurface = {}, bool verticalSync = true);
    ~Screen();
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

    glm::uvec2 size() const { return canvas_->size(); }
    /// Waits for everything in flight.
    void resize(glm::uvec2 size);
    /// The textures stay as they are until the ticket is done.
    Ticket show(const Painting& painting);
    /// The last painting, 3 channels; waits for it.
    Image8 screenshot();
    /// What a painting took the GPU, lately; 0 without time stamps.
    double milliseconds() const { return milliseconds_; }

private:
    static constexpr size_t kInFlight = 3;

    struct Slot {
        VkCommandPool pool = VK_NULL_HANDLE;
        VkCommandBuffer commands = VK_NULL_HANDLE;
        VkQueryPool stamps = VK_NULL_HANDLE;   ///< before and after; none without time stamps
        VkSemaphore arrived = VK_NULL_HANDLE;  ///< of the window's image
        std::unique_ptr<PaintScratch> scratch;
        Ticket ticket = 0;
    };

    void createSlot(Slot& slot);
    void record(const Slot& slot, const Painting& painting, const std::optional<Swapchain::Target>& target) const;
    void readStamps(const Slot& slot);
    void finish();

    Device& device_;
    std::unique_ptr<Canvas> canvas_;
    std::unique_ptr<Painter> painter_;
    std::unique_ptr<Swapchain> swapchain_;
    std::array<Slot, kInFlight> slots_;
    uint64_t shown_ = 0;
    double milliseconds_ = 0;
};

}  // namespace splat::gpu
