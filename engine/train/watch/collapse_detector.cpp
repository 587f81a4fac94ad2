#include <splatwright/core/finite_or_null.h>
#include <splatwright/train/watch/collapse_detector.h>

#include <algorithm>
#include <cmath>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace splat {

namespace {

constexpr uint32_t kSamples = 4;  // in a row that decide: 400 steps, longer than opacities take to recover from a reset

// Errors relative to flat pictures.
constexpr double kWorseThanBest = 3, kLeastWorse = 0.3;     // collapsed by the errors alone
constexpr double kRisenFromBest = 1.5, kLeastRisen = 0.15;  // with a model that looks ill
constexpr double kFlat = 0.95;
constexpr double kFalling = 0.95;  // errors that fall by less from the first to the last of these samples do not fall

// Figures of an ill model.
constexpr double kFadedOpacity = 3;  // mean opacity in prune_opacity
constexpr double kMostDead = 0.3;    // of the Gaussians
constexpr double kMostLarge = 0.1;

uint32_t counted(uint32_t before, bool isSo) { return isSo ? before + 1 : 0; }

}  // namespace

bool CollapseDetector::rises(double error) const { return error > std::max(kRisenFromBest * best_, kLeastRisen); }

void CollapseDetector::note(const HealthSample& sample) {
    const ModelHealth& model = sample.model;
    const double error = sample.relativeError.value_or(0);
    const bool fades = model.meanOpacity < kFadedOpacity * pruneOpacity_ || model.deadShare > kMostDead;
    suspicious_ = {.worse = counted(suspicious_.worse, error > std::max(kWorseThanBest * best_, kLeastWorse)),
                   .fading = counted(suspicious_.fading, fades && rises(error)),
                   .large = counted(suspicious_.large, model.largeShare > kMostLarge && rises(error))};
    if (flat_.size() == kSamples) flat_.erase(flat_.begin());
    flat_.push_back(error);
    if (error <= kFlat) flat_.clear();
    if (sample.relativeError) best_ = std::min(best_, error);
}

std::optional<std::string> CollapseDetector::add(const HealthSample& sample) {
    note(sample);
    const uint32_t longest = std::max({suspicious_.worse, suspicious_.fading, suspicious_.large});
    const bool staysFlat = flat_.size() == kSamples && flat_.back() > kFalling * flat_.front();
    if (longest < kSamples && !staysFlat) return {};
    return seen(sample);
}

std::string CollapseDetector::seen(const HealthSample& sample) const {
    const ModelHealth& model = sample.model;
    const double error = sample.relativeError.value_or(0);
    std::vector<std::string> figures{
        fmt::format("errors are {:.2f} of those of flat pictures, {:.1f} times the least so far", error, error / best_)};
    if (model.meanOpacity < kFadedOpacity * pruneOpacity_)
        figures.push_back(fmt::format("the mean opacity is {:.4f}, below {:.3f}", model.meanOpacity, kFadedOpacity * pruneOpacity_));
    if (model.deadShare > kMostDead)
        figures.push_back(fmt::format("{:.0f} % of the splats are dead, more than {:.0f} %", 100 * model.deadShare, 100 * kMostDead));
    if (model.largeShare > kMostLarge)
        figures.push_back(
            fmt::format("{:.0f} % of the splats are larger than the scene, more than {:.0f} %", 100 * model.largeShare, 100 * kMostLarge));
    return fmt::format("{}", fmt::join(figures, "; "));
}

void CollapseDetector::restart() { *this = CollapseDetector(pruneOpacity_); }

nlohmann::ordered_json CollapseDetector::state() const {
    return {{"best", finiteOrNull(best_)}, {"flat", flat_}, {"suspicious", {suspicious_.worse, suspicious_.fading, suspicious_.large}}};
}

void CollapseDetector::load(const nlohmann::ordered_json& state) {
    const auto& best = state.at("best");
    const auto& counts = state.at("suspicious");
    best_ = best.is_null() ? std::numeric_limits<double>::infinity() : best.get<double>();
    flat_ = state.at("flat").get<std::vector<double>>();
    suspicious_ = {counts.at(0).get<uint32_t>(), counts.at(1).get<uint32_t>(), counts.at(2).get<uint32_t>()};
}

}  // namespace splat
