#pragma once

#include <cmath>
#include <cstdint>

#include <splatwright/train/settings/settings.h>

namespace splat {

/// A number at a step counted from 0 of a run that changes it log-linearly, or linearly where one of both is 0.
inline double decayedRate(double first, double last, const TrainSettings& settings, uint32_t step) {
    const double t = static_cast<double>(step) / settings.steps;
    return first > 0 && last > 0 ? first * std::pow(last / first, t) : first + (last - first) * t;
}

}  // namespace splat
