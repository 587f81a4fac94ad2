#include "train/densify/densifier.h"

#include <fmt/ranges.h>

namespace splat {

namespace {

void keepDefaults(TrainSettings&) {}

/// Kheradmand et al. 2024, as gsplat's preset `mcmc` has it.
void mcmcDefaults(TrainSettings& s) {
    s.maxSplats = 1'000'000;
    s.densifyUntil = 25'000;
    s.initOpacity = 0.5;
    s.initScale = 0.1;
    s.noiseLr = 5e5;
    s.opacityReg = 0.01;
    s.scaleReg = 0.01;
}

std::vector<RefineEvent> noEvents(const DensifierInputs&) { return {}; }

constexpr DensifierRow kDensifiers[] = {
    {"default", "clones and splits where the picture pulls, prunes the transparent, resets opacities (Kerbl et al. 2023)", true,
     keepDefaults, defaultEvents},
    {"mcmc", "moves dead gaussians to opaque ones and grows to max_splats, with noise (Kheradmand et al. 2024)", false, mcmcDefaults,
     mcmcEvents},
    {"fixed", "keeps those that it starts with", false, keepDefaults, noEvents},
};

}  // namespace

std::span<const DensifierRow> densifierTable() { return kDensifiers; }

const DensifierRow& densifierByName(std::string_view name) {
    std::vector<std::string_view> known;
    for (const DensifierRow& row : kDensifiers) {
        if (row.name == name) return row;
        known.push_back(row.name);
    }
    throw InputError("strategy is '{}', expected one of {}", name, fmt::join(known, ", "));
}

bool refinesAfter(const TrainSettings& s, uint32_t steps) {
    return steps > s.densifyFrom && steps < s.densifyUntil && steps % s.densifyInterval == 0;
}

bool sortsByPlace(const TrainSettings& s, uint32_t steps) {
    const uint32_t first = s.densifyFrom / s.densifyInterval + 1;  // refinement, in intervals
    return s.mortonEvery > 0 && (steps / s.densifyInterval - first) % s.mortonEvery == 0;
}

}  // namespace splat
