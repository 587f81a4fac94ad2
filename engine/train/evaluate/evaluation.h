#pragma once

#include <optional>
#include <string>
#include <vector>

namespace splat {

struct ViewScore {
    std::string name;
    double psnr = 0;  ///< dB; infinite for equal images
    double ssim = 0;
    std::optional<double> lpips;     ///< if its network was given; 0 for equal images, larger for less similar ones
    std::optional<double> flatPsnr;  ///< dB of a flat picture in the image's mean colour, as `psnr`
};

/// Scores of renders against the test views' images. The means are over views; NaN without any.
struct Evaluation {
    std::vector<ViewScore> views;
    double psnr = 0;
    double ssim = 0;
    std::optional<double> lpips;     ///< if its network was given
    std::optional<double> flatPsnr;  ///< none without views
};

}  // namespace splat
