#pragma once

#include <optional>

#include <splatwright/train/model/step_report.h>

namespace splat {

/// Describes divergence after a step: the loss is not finite, or more than 1 % of the Gaussians are (`unusable`). Fewer are harmless, because they
/// are neither drawn nor trained, and the next refinement removes them.
std::optional<Diverged> divergenceOf(const StepReport& report, uint32_t unusable);

}  // namespace splat
