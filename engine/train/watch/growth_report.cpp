#include <splatwright/train/watch/growth_report.h>

#include <numeric>
#include <utility>

#include <nlohmann/json.hpp>

namespace splat {

using json = nlohmann::ordered_json;

namespace {

json toJson(const WithheldScore& score) {
    json object{{"step", score.step}, {"splats", score.splats}, {"psnr", score.psnr}};
    if (!score.views.empty()) object["views"] = score.views;
    return object;
}

WithheldScore withheldScoreOf(const json& object) {
    WithheldScore score{object.at("step").get<uint32_t>(), object.at("splats").get<uint32_t>(), object.at("psnr").get<double>(), {}};
    if (const auto views = object.find("views"); views != object.end()) score.views = views->get<std::vector<double>>();
    return score;
}

}  // namespace

WithheldScore withheldScore(uint32_t step, uint32_t splats, std::vector<double> views) {
    const double mean = std::accumulate(views.begin(), views.end(), 0.0) / static_cast<double>(views.size());
    return {step, splats, mean, std::move(views)};
}

json toJson(const GrowthReport& report) {
    json scores = json::array();
    for (const WithheldScore& s : report.scores) scores.push_back(toJson(s));
    return {{"withheld_views", report.withheldViews},
            {"ended_at", report.endedAt ? json(*report.endedAt) : json()},
            {"scores", std::move(scores)}};
}

GrowthReport growthReportOf(const json& growth) {
    GrowthReport report{.withheldViews = growth.at("withheld_views").get<size_t>(), .endedAt = {}, .scores = {}};
    if (const json& end = growth.at("ended_at"); !end.is_null()) report.endedAt = end.get<uint32_t>();
    for (const json& entry : growth.at("scores").get_ref<const json::array_t&>()) report.scores.push_back(withheldScoreOf(entry));
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
