#pragma once

#include <string_view>

#include <splatwright/core/setting.h>
#include <splatwright/train/settings/setting_limits.h>

namespace splat {

/// Adam's learning rates of the Gaussians' parameters.
struct LearningRates {
    static constexpr std::string_view kGroup = "learning rates";

    double lrMeans = setting(&lrMeans, "lr_means", 1.6e-4,
                             {.help = "Initial learning rate of positions", .unit = "scene extents", .min = 0, .max = kHighestRate});
    double lrMeansFinal =
        setting(&lrMeansFinal, "lr_means_final", 1.6e-6,
                {.help = "Final learning rate of positions; log-linear decay", .unit = "scene extents", .min = 0, .max = kHighestRate});
    double lrRotations =
        setting(&lrRotations, "lr_rotations", 1e-3,
                {.help = "Learning rate of rotation quaternions", .min = 0, .max = kHighestRate, .use = SettingUse::scenes});
    double lrScales = setting(&lrScales, "lr_scales", 5e-3, {.help = "Learning rate of log scales", .min = 0, .max = kHighestRate});
    double lrOpacities =
        setting(&lrOpacities, "lr_opacities", 5e-2, {.help = "Learning rate of opacity logits", .min = 0, .max = kHighestRate});
    double lrSh0 =
        setting(&lrSh0, "lr_sh0", 2.5e-3, {.help = "Learning rate of SH coefficients of degree 0", .min = 0, .max = kHighestRate});
    double lrShRest =
        setting(&lrShRest, "lr_sh_rest", 1.25e-4,
                {.help = "Learning rate of SH coefficients of higher degrees", .min = 0, .max = kHighestRate, .use = SettingUse::scenes});
    double lrFinalFactor =
        setting(&lrFinalFactor, "lr_final_factor", 1,
                {.help = "Final factor of the other rates; log-linear decay after densify_until", .min = 0.0001, .max = 1});
};

}  // namespace splat
