#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace splat::reference {

/// Defaults of the 3DGS recipe.
struct AdamSettings {
    double learningRate = 1e-3;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double epsilon = 1e-15;
};

struct AdamMoments {
    std::vector<double> first;
    std::vector<double> second;

    explicit AdamMoments(size_t count) : first(count), second(count) {}
};

/// One step of Adam (Kingma and Ba 2015) in PyTorch's form, epsilon outside the bias-corrected root; step counts from 1.
void adamStep(std::span<double> parameters, std::span<const double> gradients, AdamMoments& moments, int64_t step,
              const AdamSettings& settings);

/// A step of Adam of one of several views' parameters, `own`, after which all move back by their share of its change: their mean stays as it is.
void stepAtSameMean(std::span<const std::span<double>> views, size_t own, std::span<const double> gradients, AdamMoments& moments,
                    int64_t step, const AdamSettings& settings);

}  // namespace splat::reference
