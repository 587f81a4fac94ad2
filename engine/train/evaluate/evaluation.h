#pragma once

#include <string>
#include <vector>

namespace splat {

struct ViewScore {
    std::string name;
    double psnr = 0;  ///< dB; infinite for equal images
    double ssim = 0;
};

/// Scores of renders against the test views' images. The means are over views; NaN without any.
struct Evaluation {
    std::vector<ViewScore> views;
    double psnr = 0;
    double ssim = 0;
};

}  // namespace splat
