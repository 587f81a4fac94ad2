#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include <splatwright/render/forward.h>
#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/train/loss/photometric.h>
#include <splatwright/train/loss/regularisers.h>
#include <splatwright/train/settings/settings.h>

namespace splat {

/// One term of a step's loss, which is the sum of weight * value over its terms.
struct LossShare {
    std::string_view name;
    double weight = 0;
    double value = 0;
};

double totalLoss(std::span<const LossShare> shares);

/// Numbers of elements over which terms are averaged.
struct LossSizes {
    uint32_t width = 0;
    uint32_t height = 0;
    uint32_t gaussians = 0;
};

struct LossTerm {
    std::string_view name;                                           ///< in log.jsonl
    double (*weight)(const TrainSettings& settings, uint32_t step);  ///< at a step counted from 0
    double (*value)(double sum, const LossSizes& sizes);             ///< from the GPU's sum
};

/// Inputs of the terms in a step.
struct LossJob {
    const TrainSettings& settings;
    const GaussianModel& model;
    gpu::BufferSlice colour;  ///< float3 per pixel: the render
    gpu::BufferSlice target;  ///< uint per pixel: the training image, RGBA8
    uint32_t width = 0;
    uint32_t height = 0;
    gpu::BufferSlice step;        ///< shared::StepParameters
    gpu::BufferSlice tileCounts;  ///< uint per Gaussian: tiles that its splat overlaps
    UnseenRule unseen;
    Coverage coverage = Coverage::none;
    const LossScratch& scratch;
    gpu::BufferSlice colourGradients;  ///< float3 per pixel: the first row overwrites them, others add theirs
};

/// Records a row's terms: their sums, and their gradient by the colours if they have one.
using LossRecorder = std::function<void(gpu::Commands&, const LossJob&, gpu::BufferSlice sums, uint32_t first)>;

/// Terms that one pass computes together. One file defines a row, and the table lists its name.
struct LossRow {
    std::span<const LossTerm> terms;
    /// Creates the buffers that its recordings need.
    LossRecorder (*make)(gpu::Device& device);
};

/// Whether any of the terms has a weight in some step.
bool haveWeight(std::span<const LossTerm> terms, const TrainSettings& settings);

/// The first row is the photometric loss.
std::span<const LossRow* const> lossTable();

/// The rows on a device. Rows without a weight are not recorded and cost nothing.
class Loss {
public:
    /// `further`: terms that others record, into the sums behind those of the rows.
    explicit Loss(gpu::Device& device, std::span<const LossRow* const> rows = lossTable(), std::span<const LossTerm> further = {});

    void record(gpu::Commands& commands, const LossJob& job) const;
    const gpu::Buffer& sums() const { return sums_; }  ///< float per term
    uint32_t terms() const { return static_cast<uint32_t>(terms_.size()); }
    uint32_t firstFurther() const { return firstFurther_; }  ///< sum of the first further term
    /// The terms with a weight at a step counted from 0. `sums`: readback of sums().
    std::vector<LossShare> shares(std::span<const float> sums, const LossSizes& sizes, const TrainSettings& settings,
                                  uint32_t step = 0) const;

private:
    std::span<const LossRow* const> rows_;
    std::vector<LossTerm> terms_;
    uint32_t firstFurther_ = 0;
    gpu::Buffer sums_;
    std::vector<LossRecorder> recorders_;  ///< per row
};

}  // namespace splat
