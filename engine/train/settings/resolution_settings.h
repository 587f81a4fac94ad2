#pragma once

#include <cstdint>
#include <string_view>

#include <splatwright/core/setting.h>
#include <splatwright/train/settings/setting_limits.h>

namespace splat {

/// Training begins with smaller images, whose steps take less time, and doubles their size until it is the full one.
struct ResolutionSettings {
    static constexpr std::string_view kGroup = "resolution";
    static constexpr SettingUse kUse = SettingUse::scenes;

    uint32_t startDownscale =
        setting(&startDownscale, "start_downscale", 1,
                {.help = "Downscale factor 1, 2, 4 or 8 of images at the start", .min = 1, .max = 8, .restart = true});
    uint32_t fullSizeFrom =
        setting(&fullSizeFrom, "full_size_from", 3000,
                {.help = "Step from which images have full size, half of all at most", .unit = "steps", .min = 0, .max = kMostSteps});
};

}  // namespace splat
