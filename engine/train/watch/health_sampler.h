#pragma once

#include <optional>
#include <vector>

#include <splatwright/train/model/step_report.h>

namespace splat {

/// How training fared up to a step at which the health of the model was measured.
struct HealthSample {
    uint32_t step = 0;
    ModelHealth model;
    /// Mean absolute error of the steps since the last sample, relative to that of the best flat pictures of the same photographs: 1 means that
    /// the renders are worth no more than those. None: `l1` is not in the loss, or the photographs are flat.
    std::optional<double> relativeError;
};

/// Makes samples of the reports of steps.
class HealthSampler {
public:
    HealthSampler() = default;
    /// flatErrors: flatError() of each training view.
    explicit HealthSampler(std::vector<double> flatErrors) : flatErrors_(std::move(flatErrors)) {}

    /// A sample if the report has the model's health.
    std::optional<HealthSample> add(const StepReport& report);

    /// Sums over the steps since the last sample, which a resumed run continues.
    struct Sums {
        double error = 0, flat = 0;
        uint32_t steps = 0;
    };
    const Sums& sums() const { return sums_; }
    void continueFrom(const Sums& sums) { sums_ = sums; }

private:
    std::vector<double> flatErrors_;
    Sums sums_;
};

}  // namespace splat
