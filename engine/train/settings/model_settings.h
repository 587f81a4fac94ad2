#pragma once

#include <cstdint>
#include <string_view>

#include <splatwright/core/setting.h>
#include <splatwright/train/settings/setting_limits.h>

namespace splat {

/// What the trained model is, and what stands behind it.
struct ModelSettings {
    static constexpr std::string_view kGroup = "model";

    uint32_t shDegree = setting(&shDegree, "sh_degree", 3, {.help = "Maximum SH degree", .min = 0, .max = 3, .use = SettingUse::scenes});
    uint32_t shDegreeInterval = setting(&shDegreeInterval, "sh_degree_interval", 1000,
                                        {.help = "Interval between increments of the active SH degree",
                                         .unit = "steps",
                                         .min = 1,
                                         .max = kMostSteps,
                                         .use = SettingUse::scenes});
    glm::vec3 background = setting(&background, "background", {0, 0, 0},
                                   {.help = "Background colour behind splats and transparent pixels", .unit = "R,G,B", .min = 0, .max = 1});
    bool randomBackground = setting(&randomBackground, "random_background", false,
                                    {.help = "Draw a background colour per step where photographs are transparent"});
    double opaqueBelow = setting(
        &opaqueBelow, "opaque_below", 0.004,
        {.help = "Transmittance below which a pixel counts as opaque in training", .min = 0, .max = 0.1, .use = SettingUse::scenes});
    bool antialiased =
        setting(&antialiased, "antialiased", false,
                {.help = "Reduce the opacity of dilated splats (Mip-Splatting 2D filter), also in renders", .use = SettingUse::scenes});
};

}  // namespace splat
