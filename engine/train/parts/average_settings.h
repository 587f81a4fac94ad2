#pragma once

#include <cstdint>
#include <string_view>

#include <splatwright/core/setting.h>
#include <splatwright/train/settings/setting_limits.h>

namespace splat {

/// Setting of the averages of parameters.
struct AverageSettings {
    static constexpr std::string_view kGroup = "averages";
    static constexpr SettingUse kUse = SettingUse::scenes;

    uint32_t averageSteps =
        setting(&averageSteps, "average_steps", 0,
                {.help = "Last steps, after densify_until, whose parameters are averaged", .unit = "steps", .min = 0, .max = kMostSteps});
};

}  // namespace splat
