#pragma once

#include <array>
#include <string>
#include <string_view>

#include <splatwright/core/setting.h>

namespace splat {

inline constexpr std::array<std::string_view, 2> kBlobChoices{"free", "demo"};
inline constexpr std::array<std::string_view, 2> kBlendChoices{"sum", "order"};

/// Settings of the strategy `picture`.
struct PictureSettings {
    static constexpr std::string_view kGroup = "strategy picture";

    std::string blobs = setting(&blobs, "blobs", "free",
                                {.help = "Parameters of a blob: a free covariance, or the nine of the Slang playground's demo",
                                 .choices = kBlobChoices,
                                 .restart = true});
    std::string blend = setting(&blend, "blob_blend", "sum",
                                {.help = "Sum the blobs' colours, or blend them in their order, the first one in front",
                                 .choices = kBlendChoices,
                                 .restart = true});
    double dilation = setting(&dilation, "blob_dilation", 0.1,
                              {.help = "Added to the variances of blobs", .unit = "square pixels", .min = 0, .max = 100, .restart = true});
    double startShare = setting(&startShare, "start_share", 0.05,
                                {.help = "Share of the blobs that training starts with; the others are added where the error is",
                                 .min = 0.001,
                                 .max = 1,
                                 .restart = true});
    double startSize =
        setting(&startSize, "start_size", 0.5,
                {.help = "Standard deviation of new blobs", .unit = "mean distances", .min = 0.01, .max = 100, .restart = true});
    double evenShare = setting(&evenShare, "even_share", 0.1,
                               {.help = "Share of the first blobs that is spread evenly; the others are drawn by the picture's gradient",
                                .min = 0,
                                .max = 1,
                                .restart = true});
};

}  // namespace splat
