#pragma once

#include <string_view>

#include <splatwright/core/setting.h>
#include <splatwright/train/settings/setting_limits.h>

namespace splat {

/// Settings of ColourGrids.
struct ColourGridSettings {
    static constexpr std::string_view kGroup = "colour grids";
    static constexpr SettingUse kUse = SettingUse::scenes;

    bool colourGrid =
        setting(&colourGrid, "colour_grid", false, {.help = "Train a bilateral grid per training image; evaluation and renders ignore it"});
    uint32_t gridSize = setting(&gridSize, "grid_size", 16,
                                {.help = "Cells of a bilateral grid along each side of the image", .min = 2, .max = 32, .restart = true});
    uint32_t gridLevels = setting(&gridLevels, "grid_levels", 8,
                                  {.help = "Cells of a bilateral grid over grey values", .min = 2, .max = 32, .restart = true});
    double gridTv = setting(&gridTv, "grid_tv", 10,
                            {.help = "Weight of the bilateral grids' total variation in the loss", .min = 0, .max = kHighestWeight});
    double lrGrid = setting(&lrGrid, "lr_grid", 2e-3, {.help = "Initial learning rate of bilateral grids", .min = 0, .max = kHighestRate});
    double lrGridFinal = setting(&lrGridFinal, "lr_grid_final", 2e-5,
                                 {.help = "Final learning rate of bilateral grids; log-linear decay", .min = 0, .max = kHighestRate});
};

}  // namespace splat
