#pragma once

#include <string_view>

#include <splatwright/core/setting.h>
#include <splatwright/train/settings/setting_limits.h>

namespace splat {

/// Settings of ColourChanges, and of the test before training (train/session/colour_test.h).
struct ColourChangeSettings {
    static constexpr std::string_view kGroup = "changes of colours";
    static constexpr SettingUse kUse = SettingUse::scenes;

    bool test = setting(&test, "colour_test", false, {.help = "Train colour grids from the first step if photographs differ in colour"});
    double least = setting(
        &least, "colour_changes_least", 0.02,
        {.help = "Relative colour difference from which exposure and colour_grid act; 0: always", .min = 0, .max = 1, .restart = true});
    uint32_t from = setting(&from, "colour_changes_from", 1500,
                            {.help = "Training before that difference is measured; at most a quarter",
                             .unit = "steps",
                             .min = 1,
                             .max = kMostSteps,
                             .restart = true});
};

}  // namespace splat
