#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace splat {

/// Mean and sample standard deviation (divided by n - 1).
struct Spread {
    size_t count = 0;
    double mean = 0;       ///< NaN without values
    double deviation = 0;  ///< NaN for fewer than two values
};
Spread spreadOf(std::span<const double> values);

/// Mean of paired differences with its 95 % confidence interval, mean +- halfWidth, by Student's t distribution.
struct MeanInterval {
    size_t count = 0;
    double mean = 0;       ///< NaN without differences
    double halfWidth = 0;  ///< NaN for fewer than two differences
    double low() const { return mean - halfWidth; }
    double high() const { return mean + halfWidth; }
    /// Whether the interval lies on one side of zero.
    bool isClear() const { return low() > 0 || high() < 0; }
};
MeanInterval meanInterval(std::span<const double> differences);

/// The t for which a variable of Student's distribution lies in [-t, t] with this probability (0 to 1, exclusive).
double studentBound(size_t degreesOfFreedom, double probability);

/// Mean of the lowest tenth of the values, rounded down but at least one; NaN without values.
double meanOfWorstTenth(std::vector<double> values);

}  // namespace splat
