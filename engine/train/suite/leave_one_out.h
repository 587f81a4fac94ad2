#pragma once

#include <vector>

#include <splatwright/train/suite/suite_results.h>

namespace splat {

/// For each scene the preset that gains most over the preset `base` on all other scenes, and so has been chosen without this one. The gain is the
/// mean over scenes, and over the figures of quality, of the differences to `base` paired by seed. A preset without a pair in one of the other
/// scenes is not chosen; if none gains, `base` is. Expects two scenes at least.
std::vector<size_t> chosenOnOthers(const SuiteResults& results, size_t base);

/// The mean gain of a preset over `base` on all scenes but one; NaN if one of them has no pair.
double gainOnOthers(const SuiteResults& results, size_t leftOut, size_t preset, size_t base);

}  // namespace splat
