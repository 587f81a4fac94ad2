#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace splat {

/// How well a growing model shows the views that are withheld from it.
struct WithheldScore {
    uint32_t step = 0;
    uint32_t splats = 0;
    double psnr = 0;            ///< dB, mean of the views
    std::vector<double> views;  ///< dB, of each of them; none in a score of an earlier build

    bool operator==(const WithheldScore&) const = default;
};

/// A score of at least one view, with its mean.
WithheldScore withheldScore(uint32_t step, uint32_t splats, std::vector<double> views);

/// What the setting `withhold` has led to.
struct GrowthReport {
    size_t withheldViews = 0;         ///< 0: the setting is off, or does nothing
    std::optional<uint32_t> endedAt;  ///< ScheduleLimits::growthEnd
    std::vector<WithheldScore> scores;

    bool operator==(const GrowthReport&) const = default;
};

/// `growth` in metrics.json and in checkpoints.
nlohmann::ordered_json toJson(const GrowthReport& report);
/// Throws nlohmann's exceptions if it is not such an object.
GrowthReport growthReportOf(const nlohmann::ordered_json& growth);

/// GrowthReport::endedAt of a metrics.json or of a checkpoint's header; none as well if it has no `growth`, or a damaged one.
std::optional<uint32_t> growthEndIn(const nlohmann::ordered_json& run);

}  // namespace splat
