#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <splatwright/train/settings/settings.h>

namespace splat {

/// Training views that are not trained on before `densify_until`, so that GrowthWatch can score the growing model by them: one of `withhold`,
/// spread evenly, ascending.
std::vector<size_t> withheldViews(const TrainSettings& settings, size_t views);

/// Why no view is withheld, although `withhold` asks for it; empty: it does not ask, or some are.
std::string whyNoneWithheld(const TrainSettings& settings, size_t views);

}  // namespace splat
