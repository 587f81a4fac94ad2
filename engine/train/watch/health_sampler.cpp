#include <splatwright/train/watch/health_sampler.h>

#include <algorithm>
#include <utility>

namespace splat {

std::optional<HealthSample> HealthSampler::add(const StepReport& report) {
    constexpr double kLeastFlatError = 0.5 / 255;  // photographs that are flat but for their noise say nothing
    const auto l1 = std::ranges::find(report.losses, "l1", &LossShare::name);
    if (l1 != report.losses.end()) {
        sums_.error += l1->value;
        sums_.flat += flatErrors_.at(report.view);
        ++sums_.steps;
    }
    if (!report.health) return {};
    const Sums sums = std::exchange(sums_, {});
    HealthSample sample{.step = report.step, .model = *report.health, .relativeError = {}};
    if (sums.flat > kLeastFlatError * sums.steps) sample.relativeError = sums.error / sums.flat;
    return sample;
}

}  // namespace splat
