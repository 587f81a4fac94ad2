#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <splatwright/core/error.h>
#include <splatwright/train/loss/loss.h>
#include <splatwright/train/model/model_health.h>

namespace splat {

/// Result of a finished step, read from the GPU some steps late.
struct StepReport {
    uint32_t step = 0;  ///< steps done
    double loss = 0;    ///< what the step minimised: the sum of weight * value over `losses`
    uint32_t gaussians = 0;
    uint32_t visible = 0;
    uint32_t instances = 0;
    std::vector<LossShare> losses = {};      ///< the terms that have a weight
    uint32_t view = 0;                       ///< training view that the step learned from
    std::optional<ModelHealth> health = {};  ///< after the step, if it was measured
    std::optional<double> colourDifference =
        {};  ///< of photographs from renders, relative, if the step is where it decides about their changes
};

/// Training that cannot go on: the loss, or too many Gaussians, are no longer finite. The message names the step.
class Diverged : public Error {
public:
    Diverged(const StepReport& firstBadStep, const std::string& message) : Error("{}", message), report(firstBadStep) {}

    StepReport report;  ///< of the first bad step
};

}  // namespace splat
