#pragma once

#include <span>

#include <splatwright/train/checkpoint/checkpoint.h>
#include "reference/update.h"

namespace splat {

/// What training keeps of the Gaussians, as plain numbers.
struct TrainedNumbers {
    reference::Numbers parameters, first, second;
};

/// From the sections of a checkpoint with so many Gaussians, all 15 coefficients after the constant one included.
TrainedNumbers numbersIn(std::span<const CheckpointSection> sections, size_t gaussians);

/// Root of the summed squared differences over that of the expected numbers; the difference itself where all those are 0.
double relativeError(std::span<const double> found, std::span<const double> expected);

/// after - before, number by number.
reference::Numbers difference(const reference::Numbers& after, const reference::Numbers& before);

/// Relative error that rounding to 16 bits leaves in moments, and in the change of what has them.
inline constexpr double kPackedTolerance = 3e-3;
bool hasPackedMoments(reference::ParameterClass c);

/// Expects the relative error of every class to be within the tolerance; within kPackedTolerance at least where moments are packed.
void expectClose(const reference::Numbers& found, const reference::Numbers& expected, double tolerance, const char* what);

/// Expects sections of the same names with the same bytes.
void expectSameBytes(std::span<const CheckpointSection> found, std::span<const CheckpointSection> expected);

}  // namespace splat
