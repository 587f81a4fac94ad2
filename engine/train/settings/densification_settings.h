#pragma once

#include <cstdint>
#include <string_view>

#include <splatwright/core/setting.h>
#include <splatwright/train/settings/setting_limits.h>

namespace splat {

/// Settings shared by several densification strategies.
struct DensificationSettings {
    static constexpr std::string_view kGroup = "densification";

    uint32_t densifyFrom =
        setting(&densifyFrom, "densify_from", 500,
                {.help = "Step after which refinements start", .unit = "steps", .min = 0, .max = kMostSteps, .use = SettingUse::scenes});
    uint32_t densifyUntil = setting(&densifyUntil, "densify_until", 15'000,
                                    {.help = "Step before which refinements end", .unit = "steps", .min = 0, .max = kMostSteps});
    uint32_t densifyInterval =
        setting(&densifyInterval, "densify_interval", 100,
                {.help = "Interval between refinements", .unit = "steps", .min = 1, .max = kMostSteps, .use = SettingUse::scenes});
    double pruneOpacity =
        setting(&pruneOpacity, "prune_opacity", 0.005,
                {.help = "Opacity below which Gaussians are pruned or relocated", .min = 0, .max = 1, .use = SettingUse::scenes});
    bool longAxisSplit = setting(&longAxisSplit, "long_axis_split", true,
                                 {.help = "Split along the longest axis (ImprovedGS), not at random positions", .use = SettingUse::scenes});
    uint32_t mortonEvery = setting(&mortonEvery, "morton_every", 10,
                                   {.help = "Interval between sorts along a Morton curve; 0 disables",
                                    .unit = "refinements",
                                    .min = 0,
                                    .max = kMostSteps,
                                    .use = SettingUse::scenes});
    uint32_t withhold = setting(&withhold, "withhold", 0,
                                {.help = "Withhold one of N training views to end growth early; 0 disables",
                                 .min = 0,
                                 .max = 1000,
                                 .restart = true,
                                 .use = SettingUse::scenes});
    double growthGain = setting(&growthGain, "growth_gain", 0.1,
                                {.help = "PSNR that withheld views gain per score while growth helps",
                                 .unit = "dB",
                                 .min = 0,
                                 .max = 10,
                                 .use = SettingUse::scenes});
    double noiseLr =
        setting(&noiseLr, "noise_lr", 0,
                {.help = "Noise per step on positions, relative to their learning rate", .min = 0, .max = 1e9, .use = SettingUse::scenes});
};

}  // namespace splat
