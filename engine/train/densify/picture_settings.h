#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <splatwright/core/setting.h>

namespace splat {

inline constexpr std::array<std::string_view, 2> kBlobChoices{"free", "demo"};
inline constexpr std::array<std::string_view, 2> kBlendChoices{"order", "sum"};

/// Settings of the strategy `picture`.
struct PictureSettings {
    static constexpr std::string_view kGroup = "strategy picture";

    std::string blobs =
        setting(&blobs, "blobs", "free",
                {.help = "Parameters: a free covariance, or the nine of Slang's demo", .choices = kBlobChoices, .restart = true});
    std::string blend = setting(&blend, "blob_blend", "order",
                                {.help = "Blend blobs front to back, or sum them in any order", .choices = kBlendChoices, .restart = true});
    double dilation = setting(&dilation, "blob_dilation", 0.1,
                              {.help = "Added to the variances of blobs", .unit = "square pixels", .min = 0, .max = 100, .restart = true});
    double startShare = setting(&startShare, "start_share", 0.05,
                                {.help = "Share of the blobs that training starts with", .min = 0.001, .max = 1, .restart = true});
    double evenShare =
        setting(&evenShare, "even_share", 0.1,
                {.help = "Share of the first blobs that ignores the picture's gradient", .min = 0, .max = 1, .restart = true});
    double startSize =
        setting(&startSize, "start_size", 0.5,
                {.help = "Standard deviation of new blobs", .unit = "mean distances", .min = 0.01, .max = 100, .restart = true});
    double growUntil = setting(&growUntil, "grow_until", 0.3,
                               {.help = "Time by which all blobs are there", .unit = "share of the steps", .min = 0.001, .max = 1});
    uint32_t growTimes =
        setting(&growTimes, "grow_times", 20, {.help = "Number of times that blobs are added where the error is", .min = 1, .max = 10'000});
};

}  // namespace splat
