#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <splatwright/view/frame_recorder.h>
#include <splatwright/view/pixel_number.h>
#include <splatwright/view/probe.h>
#include <splatwright/view/render_modes.h>
#include <splatwright/view/selection.h>
#include <splatwright/view/splat_histogram.h>
#include <splatwright/view/world.h>

namespace splat {

/// Counts and timings of one frame, available a few frames later.
struct FrameReport {
    uint64_t picture = 0;   ///< index of the frame, from 0
    bool complete = false;  ///< false: a capacity overflowed and has been enlarged; the picture before is kept, if it has this size
    uint32_t visible = 0;   ///< Gaussians
    uint32_t instances = 0;
    const RenderMode* mode = nullptr;                    ///< mode that was drawn: colour if the chosen one lacks data
    std::optional<std::pair<float, float>> range;        ///< smallest and largest value of a mode with values, as auto_range uses it
    std::vector<std::pair<std::string, double>> stages;  ///< GPU milliseconds
};

/// An image that frames read, if it has the size of the picture: a training image to compare with, or what is behind the splats.
struct GroundTruth {
    gpu::BufferSlice pixels;  ///< R | G << 8 | B << 16 per pixel; must outlive the frames that read it: see finish()
    glm::uvec2 size{0};
};

/// Draws frames of a world without waiting: up to three are in flight, and counts and overflows are read back later. Each frame replaces the
/// picture of the one before. World and settings may change between any two frames.
class WorldView {
public:
    WorldView(gpu::Device& device, const primitives::RadixSort& sort, World& world);
    ~WorldView();
    WorldView(const WorldView&) = delete;

    RenderSettings settings;
    World::Chosen models;  ///< to draw
    std::optional<GroundTruth> groundTruth;
    std::optional<GroundTruth> backdrop;  ///< shown instead of the background's colour in modes that show colours
    /// 0: perspective. Else the distance, in world units, at which the camera has the orthographic picture's scale. What is behind the camera is not
    /// drawn here either.
    double orthographic = 0;
    uint32_t outline = 0;  ///< width in pixels of the line around the selected Gaussians; 0: none, at no cost

    /// Submits the next frame, in the camera's size (at least 1x1). Waits if three frames are in flight, if the world's buffers were replaced,
    /// or, for the whole queue, if the picture's buffer must grow. Throws InputError for unknown names in the settings.
    void draw(const Camera& camera);
    /// Reads back finished frames without waiting, and draws the last one again if a capacity overflowed. Returns whether the last frame is
    /// done without overflow.
    bool poll();
    /// Waits until the last frame is done without overflow.
    void finish();
    /// Reports since the last call, in the order of the frames.
    std::vector<FrameReport> reports() { return std::exchange(reports_, {}); }
    /// Why the last draw() showed colour instead of the chosen mode; empty if it did not.
    std::string_view missing() const { return missing_; }

    /// Asks for the histogram of a quantity of the visible Gaussians as the last picture shows them; answered like probe(). Does nothing while one is
    /// asked for, or if missing(quantity) is not empty.
    void askHistogram(const SplatQuantity& quantity);
    std::optional<Histogram> histogram();
    bool asksHistogram() const { return histogram_.busy(); }
    /// Why a quantity is not known; empty if it is.
    std::string_view missing(const SplatQuantity& quantity) const;
    /// A range of the quantity of the last histogram to select; nothing if the world's buffers were replaced since.
    std::optional<NumberRange> numbersBetween(float low, float high) const;
    /// Number of pictures so far.
    uint64_t pictures() const { return submitted_; }

    /// The last picture: R | G << 8 | B << 16 | 255 << 24 per pixel, rows from the top. A draw() that enlarges it replaces the buffer.
    gpu::BufferSlice picture() const { return recorder_.pixels().slice(0, uint64_t{size_.x} * size_.y * sizeof(uint32_t)); }
    glm::uvec2 size() const { return size_; }
    /// Camera of the last draw().
    const Camera& camera() const { return camera_; }
    /// Mode of the last draw(): colour where missing() is not empty.
    const RenderMode& mode() const { return *mode_; }
    /// Projected Gaussians and tile lists of the GPU's last frame, for work submitted after it.
    const FrameBuffers& frame() const { return recorder_.frame(); }
    const FrameCapacity& capacity() const { return frame().capacity; }

    // For another drawing of the last picture, submitted while the world is as it was.
    /// Projects the picture's Gaussians into other buffers for as many, without the tint of what is selected.
    void recordProjection(gpu::Commands& commands, const FrameBuffers& into) const;
    shared::FrameParameters parameters() const { return inputs(lastPlan()).frame; }

    /// Asks what lies under a pixel of the last picture. Only the newest question waits while another is being answered.
    void probe(glm::uvec2 pixel);
    /// The answer, some frames later.
    std::optional<Probe> probed();
    /// Asks for the value of a pixel of the last picture, in a mode with values; answered like probe().
    void askNumber(glm::uvec2 pixel);
    std::optional<PixelNumber> number();
    bool asksNumber() const { return wantedNumber_ || number_.busy(); }

private:
    static constexpr uint32_t kInFlight = 3;

    struct Slot {
        std::optional<gpu::Commands> commands;
        FramePlan plan;
        gpu::Ticket ticket = 0;
    };

    void fit(glm::uvec2 size);
    void makeFrame(glm::uvec2 size, uint32_t instances);
    FramePlan plan(const Camera& camera);
    std::string_view missing(RenderModeNeed need, glm::uvec2 size) const;
    bool compares(glm::uvec2 size) const { return groundTruth && groundTruth->size == size; }
    bool hasBackdrop(glm::uvec2 size) const { return backdrop && backdrop->size == size; }
    FrameInputs inputs(const FramePlan& plan) const;
    const FramePlan& lastPlan() const { return slots_[(submitted_ - 1) % kInFlight].plan; }
    void collect();
    FrameReport report(size_t slot, const FrameCounts& counts);
    void askNext();
    void askNextNumber();

    gpu::Device& device_;
    World& world_;
    FrameRecorder recorder_;
    Slot slots_[kInFlight];
    uint64_t submitted_ = 0;
    uint64_t collected_ = 0;
    bool again_ = false;  ///< the last frame overflowed
    uint64_t generation_ = 0;
    glm::uvec2 size_{0};    ///< of the last picture
    bool hasLast_ = false;  ///< the recorder holds the last picture
    Camera camera_;
    std::string_view missing_;
    std::vector<FrameReport> reports_;
    PixelProbe probe_;
    PixelNumberReader number_;
    SplatHistogram histogram_;
    std::optional<glm::uvec2> wanted_, wantedNumber_;
    const RenderMode* mode_ = nullptr;
};

}  // namespace splat
