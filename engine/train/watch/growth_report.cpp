#include <splatwright/train/watch/growth_report.h>

#include <utility>

#include <nlohmann/json.hpp>

namespace splat {

using json = nlohmann::ordered_json;

json toJson(const GrowthReport& report) {
    json scores = json::array();
    for (const WithheldScore& s : report.scores) scores.push_back({{"step", s.step}, {"splats", s.splats}, {"psnr", s.psnr}});
    return {{"withheld_views", report.withheldViews},
            {"ended_at", report.endedAt ? json(*report.endedAt) : json()},
            {"scores", std::move(scores)}};
}

GrowthReport growthReportOf(const json& growth) {
    GrowthReport report{.withheldViews = growth.at("withheld_views").get<size_t>(), .endedAt = {}, .scores = {}};
    if (const json& end = growth.at("ended_at"); !end.is_null()) report.endedAt = end.get<uint32_t>();
    for (const json& entry : growth.at("scores").get_ref<const json::array_t&>())
        report.scores.push_back({entry.at("step").get<uint32_t>(), entry.at("splats").get<uint32_t>(), entry.at("psnr").get<double>()});
    return report;
}

std::optional<uint32_t> growthEndIn(const json& run) {
    try {
        const auto found = run.find("growth");
        return found == run.end() ? std::nullopt : growthReportOf(*found).endedAt;
    } catch (const json::exception&) {
        return {};
    }
}

}  // namespace splat
