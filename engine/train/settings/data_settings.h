#pragma once

#include <cstdint>
#include <string_view>

#include <splatwright/core/setting.h>
#include <splatwright/scene/images/image_file.h>
#include <splatwright/train/settings/setting_limits.h>

namespace splat {

/// Settings for reading the dataset.
struct DataSettings {
    static constexpr std::string_view kGroup = "data";

    uint32_t downscale =
        setting(&downscale, "downscale", 1,
                {.help = "Image downscale factor 1, 2, 4 or 8; 0 selects automatically", .min = 0, .max = 8, .restart = true});
    bool masks = setting(&masks, "masks", true, {.help = "Ignore pixels masked by masks/NAME.png beside the images", .restart = true});
    uint32_t maxMegapixels =
        setting(&maxMegapixels, "max_megapixels", kDefaultMegapixels,
                {.help = "Maximum size of an image file", .unit = "million pixels", .min = 1, .max = 4096, .restart = true});
    uint32_t imageMemory = setting(&imageMemory, "image_memory", 1024,
                                   {.help = "Maximum GPU memory for resident training images; larger datasets are streamed",
                                    .unit = "MiB",
                                    .min = 0,
                                    .max = kMostMemory,
                                    .restart = true});
    uint32_t testEvery = setting(&testEvery, "test_every", 8,
                                 {.help = "Hold out every N-th view by name for testing; 0 disables",
                                  .min = 0,
                                  .max = 1'000'000,
                                  .restart = true,
                                  .use = SettingUse::scenes});
    uint32_t trainViews = setting(&trainViews, "train_views", 0,
                                  {.help = "Train on at most this many views, spread evenly; 0: all",
                                   .unit = "views",
                                   .min = 0,
                                   .max = 1'000'000,
                                   .restart = true,
                                   .use = SettingUse::scenes});
};

}  // namespace splat
