#pragma once

#include <string>
#include <string_view>

#include <splatwright/core/setting.h>

namespace splat {

inline constexpr std::string_view kRegionOutside[] = {"remove", "keep"};

/// Settings of the region of interest.
struct RegionSettings {
    static constexpr std::string_view kGroup = "region of interest";
    static constexpr SettingUse kUse = SettingUse::scenes;

    std::string region =
        setting(&region, "region", "off", {.help = "Box to train within, X,Y,Z,SX,SY,SZ[,RX,RY,RZ]: centre, edges, degrees; or off"});
    std::string regionOutside =
        setting(&regionOutside, "region_outside", "remove",
                {.help = "Remove Gaussians outside the region, or keep them without dividing them", .choices = kRegionOutside});

    bool hasRegion() const { return region != "off"; }
    bool removesOutside() const { return regionOutside == kRegionOutside[0]; }
};

}  // namespace splat
