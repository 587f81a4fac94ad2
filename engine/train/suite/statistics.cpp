#include <splatwright/train/suite/statistics.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include <splatwright/core/error.h>

namespace splat {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kConfidence = 0.95;

double meanOf(std::span<const double> values) {
    if (values.empty()) return kNone;
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Integral of cos^power from 0 to the angle, by Simpson's rule.
double cosineIntegral(double power, double angle) {
    constexpr int kIntervals = 2000;  // even; error below 1e-10 for every power and angle
    const double width = angle / kIntervals;
    double sum = 0;
    for (int i = 0; i <= kIntervals; ++i) {
        const double weight = i == 0 || i == kIntervals ? 1 : i % 2 == 1 ? 4 : 2;
        sum += weight * std::pow(std::max(std::cos(i * width), 0.0), power);
    }
    return sum * width / 3;
}

}  // namespace

Spread spreadOf(std::span<const double> values) {
    Spread spread{.count = values.size(), .mean = meanOf(values), .deviation = kNone};
    if (values.size() < 2) return spread;
    double squares = 0;
    for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
    spread.deviation = std::sqrt(squares / static_cast<double>(values.size() - 1));
    return spread;
}

MeanInterval meanInterval(std::span<const double> differences) {
    const Spread spread = spreadOf(differences);
    MeanInterval interval{.count = spread.count, .mean = spread.mean, .halfWidth = kNone};
    if (spread.count < 2) return interval;
    interval.halfWidth = studentBound(spread.count - 1, kConfidence) * spread.deviation / std::sqrt(static_cast<double>(spread.count));
    return interval;
}

// With t = sqrt(n) tan(a), the density of Student's distribution with n degrees of freedom is proportional to cos(a)^(n - 1) in a.
double studentBound(size_t degreesOfFreedom, double probability) {
    SPLAT_CHECK(degreesOfFreedom > 0 && probability > 0 && probability < 1, "{} degrees, {}", degreesOfFreedom, probability);
    const auto degrees = static_cast<double>(degreesOfFreedom);
    const double all = cosineIntegral(degrees - 1, std::numbers::pi / 2);
    double low = 0, high = std::numbers::pi / 2;
    for (int halving = 0; halving < 60; ++halving) {
        const double middle = (low + high) / 2;
        (cosineIntegral(degrees - 1, middle) < probability * all ? low : high) = middle;
    }
    return std::sqrt(degrees) * std::tan(low);
}

double meanOfWorstTenth(std::vector<double> values) {
    if (values.empty()) return kNone;
    std::ranges::sort(values);
    return meanOf(std::span(values).first(std::max<size_t>(1, values.size() / 10)));
}

}  // namespace splat
