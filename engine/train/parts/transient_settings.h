#pragma once

#include <string_view>

#include <splatwright/core/setting.h>
#include <splatwright/train/settings/setting_limits.h>

namespace splat {

/// Settings of Transients.
struct TransientSettings {
    static constexpr std::string_view kGroup = "transients";
    static constexpr SettingUse kUse = SettingUse::scenes;

    bool transients = setting(&transients, "transients", false, {.help = "Leave out areas with large errors, such as people who move"});
    double trusted = setting(&trusted, "transients_trusted", 0.8,
                             {.help = "Share of pixels that is always learnt, by least errors", .min = 0, .max = 1});
    double least = setting(&least, "transients_least", 0.05,
                           {.help = "Error up to which every pixel is learnt; colours reach to 1", .min = 0, .max = 1});
    uint32_t from = setting(&from, "transients_from", 500,
                            {.help = "First step that leaves out areas with large errors", .unit = "steps", .min = 0, .max = kMostSteps});
};

}  // namespace splat
