#pragma once

#include <string>
#include <string_view>

#include <splatwright/core/setting.h>
#include <splatwright/train/settings/setting_limits.h>

namespace splat {

inline constexpr std::string_view kDepthChoices[] = {"off", "maps", "points"};

/// Settings of depth supervision.
struct DepthSettings {
    static constexpr std::string_view kGroup = "depth";
    static constexpr SettingUse kUse = SettingUse::scenes;

    std::string depth = setting(&depth, "depth", "off",
                                {.help = "Depth supervision by depths/NAME.png beside the images, or by the dataset's points",
                                 .choices = kDepthChoices,
                                 .restart = true});
    double depthWeight = setting(&depthWeight, "depth_weight", 0.01,
                                 {.help = "Initial weight of the inverse depth in the loss", .min = 0, .max = kHighestWeight});
    double depthWeightFinal = setting(&depthWeightFinal, "depth_weight_final", 0.01,
                                      {.help = "Final weight of the inverse depth; log-linear decay", .min = 0, .max = kHighestWeight});

    bool supervisesDepth() const { return depth != "off"; }
};

}  // namespace splat
