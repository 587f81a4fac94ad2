#pragma once

#include <string_view>

#include <splatwright/core/setting.h>

namespace splat {

/// Settings of the strategy `mcmc`.
struct McmcSettings {
    static constexpr std::string_view kGroup = "strategy mcmc";
    static constexpr SettingUse kUse = SettingUse::scenes;

    double growFactor =
        setting(&growFactor, "grow_factor", 1.05, {.help = "Growth factor of the Gaussian count per refinement", .min = 1, .max = 2});
};

}  // namespace splat
