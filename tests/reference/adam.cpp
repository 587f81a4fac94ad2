#include "reference/adam.h"

#include <cmath>

#include <splatwright/core/error.h>

namespace splat::reference {

void adamStep(std::span<double> parameters, std::span<const double> gradients, AdamMoments& moments, int64_t step,
              const AdamSettings& settings) {
    SPLAT_CHECK(step >= 1 && parameters.size() == gradients.size() && parameters.size() == moments.first.size(),
                "step {}, {} parameters, {} gradients, {} moments", step, parameters.size(), gradients.size(), moments.first.size());
    const double correction1 = 1 - std::pow(settings.beta1, static_cast<double>(step));
    const double correction2 = 1 - std::pow(settings.beta2, static_cast<double>(step));
    for (size_t i = 0; i < parameters.size(); ++i) {
        double& m = moments.first[i];
        double& v = moments.second[i];
        m = settings.beta1 * m + (1 - settings.beta1) * gradients[i];
        v = settings.beta2 * v + (1 - settings.beta2) * gradients[i] * gradients[i];
        parameters[i] -= settings.learningRate * (m / correction1) / (std::sqrt(v / correction2) + settings.epsilon);
    }
}

void stepAtSameMean(std::span<const std::span<double>> views, size_t own, std::span<const double> gradients, AdamMoments& moments,
                    int64_t step, const AdamSettings& settings) {
    std::vector<double> change(gradients.size());
    adamStep(change, gradients, moments, step, settings);
    const double share = 1.0 / static_cast<double>(views.size());
    for (size_t view = 0; view < views.size(); ++view) {
        for (size_t i = 0; i < change.size(); ++i) views[view][i] += change[i] * ((view == own ? 1 : 0) - share);
    }
}

}  // namespace splat::reference
