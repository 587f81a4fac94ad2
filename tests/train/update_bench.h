#pragma once

#include <span>
#include <vector>

#include <splatwright/render/backward.h>
#include <splatwright/train/model/optimizer.h>
#include <splatwright/train/model/store.h>
#include <splatwright/train/settings/settings.h>
#include "reference/gradients.h"
#include "reference/scenes.h"
#include "train/trained_numbers.h"

namespace splat {

/// Makes training steps from gradients of splats that a test chooses, in place of those that a loss would leave, with the rates that the
/// schedule has for them.
class UpdateBench {
public:
    /// The settings' number of steps is the most that can be made; the first one is `firstStep`, counted from 0.
    UpdateBench(const reference::Scene& scene, const TrainSettings& settings, Statistics statistics = Statistics::none,
                uint32_t firstStep = 0);

    /// Projects the model to this camera and makes a step with these gradients, one for each Gaussian.
    void step(const Camera& camera, std::span<const shared::SplatGradient> gradients);

    TrainedNumbers numbers();
    std::vector<shared::DensifyStatistics> densifyStatistics() const;
    GaussianStore store;

private:
    UpdateJob job(const ViewSelection& view) const;

    TrainSettings settings_;
    Statistics statistics_;
    uint32_t step_;
    size_t count_;
    std::vector<shared::StepParameters> schedule_;
    FrameBuffers frame_;
    gpu::Arena transient_;
    BackwardBuffers backward_;
    Forward forward_;
    gpu::Buffer views_, parameters_, training_, colourGradients_;
};

/// The same steps in double precision.
class ReferenceSteps {
public:
    ReferenceSteps(const reference::Scene& scene, const TrainSettings& settings, uint32_t firstStep = 0);

    void step(const Camera& camera, std::span<const shared::SplatGradient> gradients);

    /// Per splat, whether it reaches a pixel.
    std::vector<bool> seenBy(const Camera& camera) const;
    /// Zeroes gradients of splats that reach no pixel: whether those are listed in a tile is for the projection to say.
    std::vector<shared::SplatGradient> ofSeen(const Camera& camera, std::vector<shared::SplatGradient> gradients) const;

    reference::Splats splats;
    reference::Optimizer optimizer;

private:
    TrainSettings settings_;
    reference::UnseenSteps unseen_;
    uint32_t step_;
};

/// Extent of the scene that benches scale the means' rate by.
inline constexpr double kBenchExtent = 1.1;
inline constexpr size_t kBenchViews = 2;  ///< of a pass, for `fade_steps`

/// What the settings ask of a step counted from 0, worked out here once more.
reference::UpdateRules updateRules(const TrainSettings& settings, uint32_t step, double sceneExtent);

/// Gradients of both signs whose sizes are spread over powers of ten from 10^low to 10^high.
std::vector<shared::SplatGradient> randomGradients(size_t count, double low, double high, uint64_t seed);

}  // namespace splat
