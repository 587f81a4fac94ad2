#pragma once

#include <string_view>

#include <splatwright/core/setting.h>
#include <splatwright/train/settings/setting_limits.h>

namespace splat {

/// Settings of Exposure.
struct ExposureSettings {
    static constexpr std::string_view kGroup = "exposure";
    static constexpr SettingUse kUse = SettingUse::scenes;

    bool exposure =
        setting(&exposure, "exposure", false, {.help = "Train the exposure per training image; evaluation and renders ignore it"});
    double lrExposure =
        setting(&lrExposure, "lr_exposure", 1e-3, {.help = "Initial learning rate of exposures", .min = 0, .max = kHighestRate});
    double lrExposureFinal = setting(&lrExposureFinal, "lr_exposure_final", 1e-4,
                                     {.help = "Final learning rate of exposures; log-linear decay", .min = 0, .max = kHighestRate});
};

}  // namespace splat
