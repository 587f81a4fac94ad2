#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <splatwright/gpu/device.h>
#include <splatwright/scene/photographs/photographs.h>

namespace splat {

/// The depth supervision of an image: inverse depth = max(0, value * scale + shift), in training units.
struct DepthTarget {
    uint32_t pixels = 0;  ///< number of supervised ones; 0: none
    float scale = 0;
    float shift = 0;
};

/// The training images as the loss reads them: RGBA8, one word per pixel, red in the low byte, followed by the values of the depth map, two per word,
/// if any image has one. This is the only copy, which several trainers may use in turn.
/// They are kept at one or several levels: level k is downscaled by 2^k.
/// Images that do not fit on the GPU stay in host memory and are copied to a slot while earlier steps run: step s uses slot s mod the number of
/// slots, which is free when its last submission has completed.
class Targets {
public:
    /// Moves the pixels out of `photographs`. They stay on the GPU if they need at most `deviceBytes` and, beyond 64 MiB, an eighth of its free
    /// memory, or no more memory than the slots.
    Targets(gpu::Device& device, std::span<Photograph> photographs, uint64_t deviceBytes, uint32_t levels = 1);
    ~Targets();
    Targets(const Targets&) = delete;
    Targets& operator=(const Targets&) = delete;

    /// Meaning of the fourth byte, common to all images; it is 255 for images without coverage.
    Coverage coverage() const { return coverage_; }
    /// Whether photographs have pixels with an alpha below a half: what is behind the scene shows in them.
    bool transparent() const { return transparent_; }
    const DepthTarget& depth(size_t image) const { return depths_[image]; }
    bool hasDepths() const { return hasDepths_; }
    bool resident() const { return slotUsed_.empty(); }
    uint32_t levels() const { return levels_; }
    /// Index of a view's image at a level.
    size_t image(size_t view, uint32_t level) const { return level * views_ + view; }
    /// Maximum number of steps per submission, so that the images of as many further steps are copied meanwhile.
    uint32_t stepsAtOnce() const;
    /// Buffer with the image, which starts at firstPixel().
    gpu::BufferSlice of(size_t image) const { return resident() ? images_[image] : gpu::BufferSlice(slots_); }
    uint32_t firstPixel(uint32_t step) const { return resident() ? 0 : slotOf(step) * slotPixels_; }

    /// Restores pixels and coverage of an image. May be called from any thread; waits for the GPU if the pixels are there.
    void readback(size_t view, Photograph& photograph) const;

    /// Starts the copy of an image for a step, which must be submitted after the arrival. Never blocks.
    gpu::Arrival fetch(uint32_t step, size_t image);
    /// Makes the step's slot available again when the ticket is done.
    void release(uint32_t step, gpu::Ticket ticket);

private:
    uint32_t slotOf(uint32_t step) const { return step % static_cast<uint32_t>(slotUsed_.size()); }
    void keepOnGpu(std::span<Photograph> photographs, std::span<const size_t> sizes);
    void keepOnHost(std::span<Photograph> photographs, std::span<const size_t> sizes);
    void packLevels(Photograph& photograph, const std::function<void(uint32_t, Photograph&)>& packLevel) const;

    gpu::Device& device_;
    size_t views_;
    uint32_t levels_;
    bool hasDepths_, transparent_;
    std::vector<DepthTarget> depths_;   ///< per image
    std::vector<gpu::Buffer> buffers_;  ///< GPU memory, or host memory
    std::vector<gpu::BufferSlice> images_;
    std::vector<std::span<const uint32_t>> hostWords_;  ///< one per image, if not on the GPU
    gpu::Buffer slots_;                                 ///< each as large as the largest image
    uint32_t slotPixels_ = 0;
    std::vector<gpu::Ticket> slotUsed_;                 ///< last submission that reads each slot
    std::vector<std::optional<gpu::Transfer>> copies_;  ///< [image * number of slots + slot], recorded on first use
    gpu::Arrival last_;
    Coverage coverage_ = Coverage::none;
};

}  // namespace splat
