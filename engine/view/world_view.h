#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "render/forward.h"
#include "view/pictures.h"
#include "view/probe.h"
#include "view/world.h"

namespace splat {

/// What the GPU said of a picture, when it was long done.
struct PictureReport {
    uint64_t picture = 0;   ///< counted from 0
    bool complete = false;  ///< false: a capacity was too small, so the one before stands, if of this size; it has been grown since
    uint32_t visible = 0;   ///< gaussians
    uint32_t instances = 0;
    const PictureRow* row = nullptr;                     ///< what it shows: another than was chosen where that misses something
    std::optional<std::pair<float, float>> range;        ///< of a picture of numbers, as auto_range takes it
    std::vector<std::pair<std::string, double>> stages;  ///< GPU milliseconds
};

/// A photograph to compare with; shows where it is as large as the picture.
struct ComparisonPhotograph {
    gpu::BufferSlice pixels;  ///< R | G << 8 | B << 16 a pixel; must outlive the pictures that were drawn with it: see finish()
    glm::uvec2 size{0};
};

/// Draws one picture of a world after another without waiting for any: a few are in flight, counts and overflows are read late. Every picture
/// takes the place of the one before. World and settings may change between any two.
class WorldView {
public:
    WorldView(gpu::Device& device, const primitives::RadixSort& sort, World& world);
    ~WorldView();
    WorldView(const WorldView&) = delete;

    PictureSettings settings;
    std::optional<ComparisonPhotograph> photograph;
    uint32_t outline = 0;  ///< pixels: how thick the line around the selected gaussians is; 0: none is drawn, and none costs time

    /// Submits the next picture, as large as the camera says (at least 1x1). Waits where three are in flight; for all of them where the world's
    /// buffers were replaced; and for everything in the queue where the picture is larger than any before, since that may show the last one.
    /// Throws InputError for unknown names in the settings.
    void draw(const Camera& camera);
    /// Reads what the pictures that are done told, without waiting; draws the last one again if it did not fit. True when the last picture is
    /// done and whole.
    bool poll();
    /// Waits until the last picture is done and whole.
    void finish();
    /// What has been learnt since the last call, in the order of the pictures.
    std::vector<PictureReport> reports() { return std::exchange(reports_, {}); }
    /// Why the chosen picture cannot be drawn and the colour is shown instead; empty when it can. As of the last draw().
    std::string_view missing() const { return missing_; }

    /// R | G << 8 | B << 16 | 255 << 24 a pixel, rows from the top: the last picture. Another buffer after a draw() that had to grow it.
    gpu::BufferSlice picture() const { return pixels_.slice(0, uint64_t{size_.x} * size_.y * sizeof(uint32_t)); }
    glm::uvec2 size() const { return size_; }
    /// Of the last picture.
    const Camera& camera() const { return camera_; }
    /// What the last picture left behind, for work that is submitted after it: projected gaussians and tiles' lists. Of the GPU's last picture.
    const FrameBuffers& frame() const { return *frame_; }
    const FrameCapacity& capacity() const { return frame_->capacity; }

    /// Asks what lies under a pixel of the last picture; a question that waits for another to be answered gives way to a newer one.
    void probe(glm::uvec2 pixel);
    /// The answer, some pictures late.
    std::optional<Probe> probed();

private:
    static constexpr size_t kInFlight = 3;

    /// What a recording depends on.
    struct Plan {
        glm::uvec2 size{0};
        const PictureRow* row = nullptr;
        gpu::BufferSlice photograph;  ///< empty: none
        uint32_t outline = 0;
        uint64_t kernels = 0;         ///< generation of the device's

        bool operator==(const Plan& other) const;
    };
    struct Slot {
        std::optional<gpu::Commands> commands;
        Plan plan;
        gpu::Ticket ticket = 0;
    };

    void fit(glm::uvec2 size);
    void makeFrame(glm::uvec2 size, uint32_t instances);
    Plan plan(const Camera& camera);
    std::string_view missing(const PictureRow& row, glm::uvec2 size) const;
    void makePixels(glm::uvec2 size);
    void tell(size_t slot, const Plan& plan);
    gpu::Commands record(uint32_t slot, const Plan& plan) const;
    void recordInputs(gpu::Commands& commands, uint32_t slot) const;
    void recordProjection(gpu::Commands& commands, const PictureRow& row) const;
    void recordWalk(gpu::Commands& commands, const Plan& plan) const;
    void recordFinish(gpu::Commands& commands, const Plan& plan) const;
    void recordOutline(gpu::Commands& commands, const Plan& plan) const;
    void recordTelling(gpu::Commands& commands, uint32_t slot) const;
    void collect();
    PictureReport read(size_t slot);
    void askNext();

    gpu::Device& device_;
    World& world_;
    Forward forward_;
    std::optional<FrameBuffers> frame_;
    // A slot each on the host's side; one on the GPU's, where pictures follow one another.
    gpu::Buffer newModels_, newPictures_, newFrames_;
    gpu::Buffer models_, pictures_;
    gpu::Buffer range_;   ///< bits of the least and the largest number
    gpu::Buffer pixels_;  ///< R | G << 8 | B << 16 | A << 24
    gpu::Buffer selection_;  ///< share of the selected gaussians, a pixel
    gpu::Buffer told_;    ///< ToldWords, a slot
    Slot slots_[kInFlight];
    uint64_t submitted_ = 0;
    uint64_t collected_ = 0;
    bool again_ = false;  ///< the last picture did not fit
    uint64_t generation_ = 0;
    uint32_t ids_ = 0;      ///< rows of the tables
    glm::uvec2 size_{0};    ///< of the last picture
    bool hasLast_ = false;  ///< it is in pixels_
    Camera camera_;
    std::string_view missing_;
    std::vector<PictureReport> reports_;
    PixelProbe probe_;
    std::optional<glm::uvec2> wanted_;
    uint32_t shape_ = 0;
};

}  // namespace splat
