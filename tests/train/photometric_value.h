#pragma once

#include <splatwright/train/loss/loss.h>

namespace splat {

/// The photometric loss and its parts, by the first row of the loss table.
struct LossValue {
    double l1 = 0;
    double ssim = 0;
    double total = 0;
};

inline LossValue lossValue(const shared::LossSums& sums, uint32_t width, uint32_t height, float ssimLambda) {
    TrainSettings settings;
    settings.ssimLambda = static_cast<double>(ssimLambda);
    const auto terms = lossTable()[0]->terms;
    const LossSizes sizes{width, height, 0};
    const double l1 = terms[0].value(static_cast<double>(sums.l1), sizes), dssim = terms[1].value(static_cast<double>(sums.ssim), sizes);
    return {.l1 = l1, .ssim = 1 - dssim, .total = terms[0].weight(settings, 0) * l1 + terms[1].weight(settings, 0) * dssim};
}

}  // namespace splat
