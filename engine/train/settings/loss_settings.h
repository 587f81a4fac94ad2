#pragma once

#include <cstdint>
#include <string_view>

#include <splatwright/core/setting.h>
#include <splatwright/train/settings/setting_limits.h>

namespace splat {

/// Weights of the loss's terms.
struct LossSettings {
    static constexpr std::string_view kGroup = "loss";

    double ssimLambda =
        setting(&ssimLambda, "ssim_lambda", 0.2, {.help = "Weight of D-SSIM in the loss; L1 and L2 have the rest", .min = 0, .max = 1});
    double l2Share =
        setting(&l2Share, "l2_share", 0, {.help = "Share of the squared difference in what is not D-SSIM", .min = 0, .max = 1});
    double opacityReg =
        setting(&opacityReg, "opacity_reg", 0,
                {.help = "Weight of the mean opacity in the loss", .min = 0, .max = kHighestWeight, .use = SettingUse::scenes});
    double scaleReg = setting(&scaleReg, "scale_reg", 0,
                              {.help = "Weight of the mean scale in the loss", .min = 0, .max = kHighestWeight, .use = SettingUse::scenes});
    uint32_t fadeSteps = setting(
        &fadeSteps, "fade_steps", 0,
        {.help = "Steps for which regularisers act on Gaussians out of view", .min = 0, .max = kMostSteps, .use = SettingUse::scenes});
};

}  // namespace splat
