#pragma once

#include <cstdint>
#include <string_view>

#include <splatwright/core/setting.h>
#include <splatwright/train/settings/setting_limits.h>

namespace splat {

/// Settings of the strategy `default`.
struct DefaultStrategySettings {
    static constexpr std::string_view kGroup = "strategy default";
    static constexpr SettingUse kUse = SettingUse::scenes;

    double growGrad2d = setting(&growGrad2d, "grow_grad2d", 4e-4,
                                {.help = "Densification threshold on the mean screen-space positional gradient",
                                 .unit = "normalised device units",
                                 .min = 0,
                                 .max = kHighestSize});
    bool absoluteGradients = setting(&absoluteGradients, "absolute_gradients", true,
                                     {.help = "Sum absolute per-pixel gradients (AbsGS), which are about twice as large"});
    double growScale3d = setting(&growScale3d, "grow_scale3d", 0,
                                 {.help = "Scale above which Gaussians are split, not cloned; 0 splits all",
                                  .unit = "scene extents",
                                  .min = 0,
                                  .max = kHighestSize});
    double growScale2d =
        setting(&growScale2d, "grow_scale2d", 0.05,
                {.help = "Screen-space radius above which Gaussians are split", .unit = "image sizes", .min = 0, .max = kHighestSize});
    double pruneScale3d =
        setting(&pruneScale3d, "prune_scale3d", 0.1,
                {.help = "Scale above which Gaussians are pruned; 0 disables", .unit = "scene extents", .min = 0, .max = kHighestSize});
    double pruneScale2d =
        setting(&pruneScale2d, "prune_scale2d", 0.15,
                {.help = "Screen-space radius above which Gaussians are pruned", .unit = "image sizes", .min = 0, .max = kHighestSize});
    uint32_t pruneScaleFrom =
        setting(&pruneScaleFrom, "prune_scale_from", 3000,
                {.help = "Step after which large Gaussians are pruned", .unit = "steps", .min = 0, .max = kMostSteps});
    uint32_t scale2dUntil =
        setting(&scale2dUntil, "scale2d_until", 0,
                {.help = "Step before which screen-space radii are used", .unit = "steps", .min = 0, .max = kMostSteps});
    uint32_t resetEvery = setting(&resetEvery, "reset_every", 0,
                                  {.help = "Interval between opacity resets; 0 disables", .unit = "steps", .min = 0, .max = kMostSteps});
    double resetOpacity =
        setting(&resetOpacity, "reset_opacity", 0.01, {.help = "Maximum opacity after a reset", .min = 0.0001, .max = 0.99});
    bool revisedOpacity = setting(&revisedOpacity, "revised_opacity", false, {.help = "Preserve the combined opacity of a split Gaussian"});
};

}  // namespace splat
