#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <splatwright/core/setting.h>
#include <splatwright/train/settings/setting_limits.h>

namespace splat {

/// Settings of initialGaussians().
struct InitialisationSettings {
    static constexpr std::string_view kGroup = "initialisation";

    std::string init = setting(
        &init, "init", "sfm",
        {.help = "Initial Gaussians: sfm (the dataset's points), random, or a file of splats", .restart = true, .use = SettingUse::scenes});
    /// Whether `init` is a file.
    bool startsFromFile() const { return init != "sfm" && init != "random"; }

    uint32_t initCount =
        setting(&initCount, "init_count", 100'000,
                {.help = "Number of random initial Gaussians", .min = 1, .max = 100'000'000, .restart = true, .use = SettingUse::scenes});
    double initExtent = setting(&initExtent, "init_extent", 0.3,
                                {.help = "Half edge length of the cube of random initial Gaussians",
                                 .unit = "mean camera distances",
                                 .min = 0,
                                 .max = kHighestSize,
                                 .restart = true,
                                 .use = SettingUse::scenes});
    double initOpacity =
        setting(&initOpacity, "init_opacity", 0.1, {.help = "Initial opacity", .min = 0.004, .max = 0.99, .restart = true});
    double initScale = setting(&initScale, "init_scale", 1,
                               {.help = "Initial scale",
                                .unit = "mean distances to the three nearest",
                                .min = 0,
                                .max = kHighestSize,
                                .restart = true,
                                .use = SettingUse::scenes});
};

}  // namespace splat
