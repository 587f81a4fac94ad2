#pragma once

#include <string_view>

#include <splatwright/core/setting.h>
#include <splatwright/train/settings/setting_limits.h>

namespace splat {

/// Settings of Poses.
struct PoseSettings {
    static constexpr std::string_view kGroup = "cameras";
    static constexpr SettingUse kUse = SettingUse::scenes;

    bool refinePoses =
        setting(&refinePoses, "refine_poses", false, {.help = "Refine the poses of training cameras; test cameras stay fixed"});
    double lrPoses = setting(&lrPoses, "lr_poses", 1e-5,
                             {.help = "Initial learning rate of camera poses",
                              .unit = "distances to the farthest camera; radians",
                              .min = 0,
                              .max = kHighestRate});
    double lrPosesFinal = setting(&lrPosesFinal, "lr_poses_final", 1e-7,
                                  {.help = "Final learning rate of camera poses; log-linear decay", .min = 0, .max = kHighestRate});
};

}  // namespace splat
