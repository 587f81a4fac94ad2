#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <splatwright/core/setting.h>
#include <splatwright/shared/fit2d.h>
#include <splatwright/train/model/trained_kind.h>

namespace splat {

inline constexpr std::array<std::string_view, 2> kBlendChoices{"order", "sum"};

/// Settings of the strategy `picture`.
struct PictureSettings {
    static constexpr std::string_view kGroup = "strategy picture";
    static constexpr SettingUse kUse = SettingUse::pictures;

    std::string blobs =
        setting(&blobs, "blobs", "free",
                {.help = "Parameters: a free covariance, or the nine of Slang's demo", .choices = pictureKinds(), .restart = true});
    std::string blend = setting(&blend, "blob_blend", "order",
                                {.help = "Blend blobs front to back, or sum them in any order", .choices = kBlendChoices, .restart = true});
    double fileLoss = setting(&fileLoss, "file_loss", 0.5,
                              {.help = "PSNR that rounding in picture.blobs may cost, about", .unit = "dB", .min = 0.01, .max = 20});
    bool demoKernels = setting(&demoKernels, "demo_kernels", false,
                               {.help = "Draw and differentiate the demo's blobs by its own kernels", .restart = true});
    bool demoLosesBlobs =
        setting(&demoLosesBlobs, "demo_loses_blobs", false, {.help = "Demo's fault: a tile draws only 256 blobs", .restart = true});
    bool demoFirstBias = setting(&demoFirstBias, "demo_first_bias", false,
                                 {.help = "Demo's fault: Adam's bias is always corrected as in step 1", .restart = true});
    bool demoDeadParameters = setting(&demoDeadParameters, "demo_dead_parameters", false,
                                      {.help = "Demo's fault: parameters outside 0..1 stay without a gradient", .restart = true});
    bool demoRowBelow =
        setting(&demoRowBelow, "demo_row_below", false, {.help = "Demo's fault: each row learns the one below it", .restart = true});
    bool demoPremultipliesTwice =
        setting(&demoPremultipliesTwice, "demo_premultiplies_twice", false,
                {.help = "Demo's fault: blended colours are multiplied by their coverage again", .restart = true});
    bool demoClearsTwice = setting(&demoClearsTwice, "demo_clears_twice", false,
                                   {.help = "Demo's fault: gradients are cleared twice per step", .restart = true});
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

/// A fault of the demo that a setting switches on again.
struct DemoFault {
    bool PictureSettings::*wanted;
    uint32_t bit = 0;  ///< of DemoKernels::faults; 0: it is not the kernels'
};
inline constexpr std::array<DemoFault, 6> kDemoFaults{{
    {&PictureSettings::demoLosesBlobs, shared::kDemoLosesBlobs},
    {&PictureSettings::demoFirstBias, shared::kDemoFirstBias},
    {&PictureSettings::demoDeadParameters, shared::kDemoDeadParameters},
    {&PictureSettings::demoRowBelow},
    {&PictureSettings::demoPremultipliesTwice, shared::kDemoPremultipliesTwice},
    {&PictureSettings::demoClearsTwice},
}};

}  // namespace splat
