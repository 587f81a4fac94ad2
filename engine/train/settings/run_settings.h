#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <splatwright/core/setting.h>
#include <splatwright/shared/frame.h>
#include <splatwright/train/settings/setting_limits.h>

namespace splat {

/// Value of `accumulate` that leaves the choice of a row to measurements (train/step/accumulation_choice.h).
inline constexpr std::string_view kAutomatic = "auto";

// The names of the rows that a setting chooses from.
std::span<const std::string_view> strategyChoices();
std::span<const std::string_view> accumulateChoices();

/// Settings of a training run as a whole.
struct RunSettings {
    static constexpr std::string_view kGroup = "run";

    std::string strategy = setting(&strategy, "strategy", "default",
                                   {.help = "Densification strategy", .choices = strategyChoices(), .use = SettingUse::scenes});
    uint32_t steps = setting(&steps, "steps", 30'000, {.help = "Number of training steps", .min = 1, .max = kMostSteps, .resume = true});
    uint32_t maxPasses = setting(&maxPasses, "max_passes", 0,
                                 {.help = "Maximum passes over the views unless `steps` is given; 0: unlimited",
                                  .unit = "passes",
                                  .min = 0,
                                  .max = kMostSteps,
                                  .resume = true,
                                  .use = SettingUse::scenes});
    uint32_t minSteps = setting(&minSteps, "min_steps", 12'000,
                                {.help = "Minimum number of steps under max_passes",
                                 .unit = "steps",
                                 .min = 1,
                                 .max = kMostSteps,
                                 .resume = true,
                                 .use = SettingUse::scenes});
    uint32_t maxSplats = setting(&maxSplats, "max_splats", 0,
                                 {.help = "Maximum number of Gaussians; 0 means limited by memory only", .min = 0, .max = kMostSplats});
    double splatPixels = setting(&splatPixels, "splat_pixels", 0,
                                 {.help = "Training pixels per Gaussian, at least, unless `max_splats` is given; 0: unlimited",
                                  .unit = "pixels",
                                  .min = 0,
                                  .max = 1e6,
                                  .resume = true,
                                  .use = SettingUse::scenes});
    uint32_t seed = setting(&seed, "seed", 42, {.help = "Random seed", .min = 0, .max = UINT32_MAX, .restart = true});
    std::string accumulate = setting(&accumulate, "accumulate", "subtile",
                                     {.help = "Gradient accumulation method; `auto` chooses by GPU time", .choices = accumulateChoices()});
    bool deterministic = setting(&deterministic, "deterministic", false,
                                 {.help = "Make reruns on one device bit-identical; selects accumulation `fixed-point`"});
    bool clampGradients =
        setting(&clampGradients, "clamp_gradients", false, {.help = "Clamp per-pixel gradients to +-10; accumulation `tree-cas` only"});
    uint32_t balanceThreshold = setting(&balanceThreshold, "balance_threshold", 2,
                                        {.help = "Active lanes from which accumulation `subgroup` or `serial` reduces",
                                         .unit = "eighths of a subgroup",
                                         .min = 0,
                                         .max = shared::kBalanceParts});
    uint32_t checkpointEvery = setting(&checkpointEvery, "checkpoint_every", 5000,
                                       {.help = "Checkpoint interval; 0 writes one only at the end or on interruption",
                                        .unit = "steps",
                                        .min = 0,
                                        .max = kMostSteps,
                                        .resume = true});
    bool watch = setting(&watch, "watch", true, {.help = "Roll back a training that collapses once, then end it", .resume = true});
    uint32_t logEvery =
        setting(&logEvery, "log_every", 100,
                {.help = "Interval between lines of log.jsonl", .unit = "steps", .min = 1, .max = kMostSteps, .resume = true});
};

}  // namespace splat
