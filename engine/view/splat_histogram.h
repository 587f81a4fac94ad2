#pragma once

#include <array>
#include <optional>
#include <utility>

#include <splatwright/render/forward.h>
#include <splatwright/view/late_answer.h>
#include <splatwright/view/percentiles.h>
#include <splatwright/view/splat_quantities.h>
#include <splatwright/view/world.h>

namespace splat {

/// Numbers of a quantity, counted by bins over the range from the 1st to the 99th percentile; the first and the last bin also have what lies beyond.
struct Histogram {
    using Bins = std::array<uint32_t, shared::kHistogramBins>;

    const SplatQuantity* quantity = nullptr;
    std::pair<float, float> range{0, 0};  ///< of the bins
    Bins all{}, selected{};
    double milliseconds = 0;  ///< GPU time of the counting

    uint64_t count() const;
    /// The value at a part of the range, 0 to 1.
    double valueAt(double place) const;
    double placeOf(double value) const;
};

/// Counts a quantity of all visible Gaussians on the GPU; the answer is read back later, without waiting. One question at a time.
class SplatHistogram {
public:
    explicit SplatHistogram(gpu::Device& device);

    /// What the last frame left.
    struct Frame {
        const FrameBuffers& buffers;
        gpu::BufferSlice models;       ///< shared::ModelView by id
        gpu::BufferSlice groundTruth;  ///< words of a frame of colours to compare with; any words if the quantity needs none
        glm::uvec2 size{0};
    };
    void ask(const World& world, const SplatQuantity& quantity, const Frame& frame);
    bool busy() const { return late_.busy(); }
    /// The answer, once.
    std::optional<Histogram> answer();
    /// Waits for the GPU, before the frame's buffers go.
    void finish() { late_.finish(); }

    /// The quantity of each Gaussian of the world's buffers at the last question, NaN for none; valid as long as World::generation() is this one.
    gpu::BufferSlice numbers() const { return numbers_.words(); }
    uint64_t generation() const { return generation_; }

private:
    void fit(const World& world, const SplatQuantity& quantity);
    void recordNumbers(gpu::Commands& commands, const World& world, const SplatQuantity& quantity, const Frame& frame) const;

    gpu::Device& device_;
    Percentiles percentiles_;
    gpu::Buffer numbers_, errorSums_;
    gpu::Buffer range_, bins_, told_;
    LateAnswer late_;
    const SplatQuantity* quantity_ = nullptr;
    uint64_t generation_ = 0;
};

}  // namespace splat
