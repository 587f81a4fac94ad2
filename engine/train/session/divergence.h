#pragma once

#include <optional>

#include <splatwright/core/error.h>
#include <splatwright/train/step/trainer.h>

namespace splat {

/// What is wrong after a step whose loss is not finite, or that left more than one gaussian in a hundred with numbers that are not
/// (`unusable`). Fewer are no harm: nothing draws or trains them, and the next refinement removes them.
std::optional<Diverged> divergenceOf(const StepReport& report, uint32_t unusable);

}  // namespace splat
