#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/train/step/trainer.h>
#include <splatwright/train/step/training_costs.h>
#include "reference/scenes.h"

namespace splat {

/// The scene seen from cameras a little apart, as the renderer draws it.
std::vector<Photograph> photographsOf(const reference::Scene& scene, int views);

/// The scene with grey, half-transparent splats: where training has something to learn.
Gaussians blurred(Gaussians gaussians);

/// Settings of the strategy `fixed`.
TrainSettings shortRun(uint32_t steps);
/// Settings of a strategy that refines every six steps up to 900 Gaussians, with sums in a fixed order.
TrainSettings refiningRun(std::string_view strategy, uint32_t steps);

struct TrainedRun {
    Gaussians gaussians;
    TrainingCosts costs;
    std::vector<double> losses;
};
/// All steps, or the first ones.
TrainedRun train(const Gaussians& start, const std::vector<Photograph>& photographs, const TrainSettings& settings,
                 std::optional<uint32_t> steps = {});

void expectSameBits(const Gaussians& a, const Gaussians& b);

}  // namespace splat
