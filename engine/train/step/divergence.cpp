#include <splatwright/train/step/divergence.h>

#include <cmath>

namespace splat {

std::optional<Diverged> divergenceOf(const StepReport& r, uint32_t unusable) {
    constexpr uint64_t kToleratedOf = 100;
    std::string what;
    if (!std::isfinite(r.loss)) {
        what = fmt::format("the loss of step {} is {}", r.step, r.loss);
    } else if (unusable * kToleratedOf > r.gaussians) {
        what = fmt::format("{} of {} gaussians have numbers that are not finite after step {}", unusable, r.gaussians, r.step);
    } else {
        return std::nullopt;
    }
    return Diverged(r, fmt::format("training diverged: {}; lower learning rates may help", what));
}

}  // namespace splat
