#pragma once

#include <string_view>

#include <splatwright/core/setting.h>

namespace splat {

/// Setting of SamplingFilter.
struct SamplingFilterSettings {
    static constexpr std::string_view kGroup = "model";
    static constexpr SettingUse kUse = SettingUse::scenes;

    bool filter3d =
        setting(&filter3d, "filter_3d", false, {.help = "Limit splats to the resolution of the training views (Mip-Splatting 3D filter)"});
};

}  // namespace splat
