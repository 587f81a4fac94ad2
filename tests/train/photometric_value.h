#pragma once

#include <array>

#include <splatwright/train/loss/loss.h>

namespace splat {

/// The photometric loss and its parts, by the first row of the loss table.
struct LossValue {
    double l1 = 0;
    double ssim = 0;  ///< meaningless without a lambda
    double l2 = 0;
    double total = 0;
};

inline LossValue lossValue(const shared::LossSums& sums, uint32_t width, uint32_t height, float ssimLambda, float l2Share = 0) {
    TrainSettings settings;
    settings.ssimLambda = static_cast<double>(ssimLambda);
    settings.l2Share = static_cast<double>(l2Share);
    const auto terms = lossTable()[0]->terms;
    const LossSizes sizes{width, height, 0};
    const std::array sumOf{sums.l1, sums.ssim, sums.l2};
    std::array<double, 3> values{};
    double total = 0;
    for (size_t i = 0; i < values.size(); ++i) {
        values[i] = terms[i].value(static_cast<double>(sumOf[i]), sizes);
        total += terms[i].weight(settings, 0) * values[i];
    }
    return {.l1 = values[0], .ssim = 1 - values[1], .l2 = values[2], .total = total};
}

}  // namespace splat
