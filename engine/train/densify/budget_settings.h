#pragma once

#include <array>
#include <string>
#include <string_view>

#include <splatwright/core/setting.h>
#include <splatwright/train/settings/setting_limits.h>

namespace splat {

/// How much a Gaussian is to be divided; choices of `score`.
inline constexpr std::array<std::string_view, 7> kBudgetScores{"gradient",     "gradient-sum", "error",   "error-mean",
                                                               "error-pixels", "edge",         "variance"};

/// Settings of the strategy `budget`.
struct BudgetSettings {
    static constexpr std::string_view kGroup = "strategy budget";
    static constexpr SettingUse kUse = SettingUse::scenes;

    std::string score =
        setting(&score, "score", "gradient-sum", {.help = "Weight of the draw: what is large divides", .choices = kBudgetScores});
    double errorThreshold = setting(&errorThreshold, "error_threshold", 0.1,
                                    {.help = "Colour error above which `error-pixels` counts a pixel", .min = 0, .max = 1});
    double pruneWeight =
        setting(&pruneWeight, "prune_weight", 0,
                {.help = "Blending weight up to which visible Gaussians are pruned; 0 disables", .unit = "pixels", .min = 0, .max = 1e6});
    double growPower =
        setting(&growPower, "grow_power", 1, {.help = "Power of the progress with which the count rises", .min = 0.1, .max = 10});
    double cloneScale = setting(&cloneScale, "clone_scale", 0,
                                {.help = "Scale up to which Gaussians are cloned, not split; 0 splits all",
                                 .unit = "scene extents",
                                 .min = 0,
                                 .max = kHighestSize});
    uint32_t decayEvery = setting(&decayEvery, "decay_every", 0,
                                  {.help = "Interval between opacity decays; 0 disables", .unit = "steps", .min = 0, .max = kMostSteps});
    double decayFactor = setting(&decayFactor, "decay_factor", 0.5, {.help = "Factor of opacities in a decay", .min = 0, .max = 1});
    double decayLeast = setting(&decayLeast, "decay_least", 0.01, {.help = "Opacity that no decay goes below", .min = 0.0001, .max = 0.99});
};

}  // namespace splat
