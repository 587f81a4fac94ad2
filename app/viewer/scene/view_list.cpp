#include "viewer/scene/view_list.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>

namespace splat::app {

namespace {

bool has(const std::string& name, const std::string& part) {
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    return std::ranges::search(name, part, same).begin() != name.end() || part.empty();
}

}  // namespace

std::vector<ListedView> listed(const ViewList& list, std::span<const LiveView> views, const LiveState& state) {
    std::map<std::string, double> scores;
    for (const auto* const known : {&state.testScores, &state.trainingScores})
        for (const ViewScore& score : *known) scores[score.name] = score.psnr;
    std::vector<ListedView> rows;
    for (size_t view = 0; view < views.size(); ++view) {
        if (!has(views[view].name, list.filter)) continue;
        const auto score = scores.find(views[view].name);
        rows.push_back({view, score == scores.end() ? std::nullopt : std::optional(score->second)});
    }
    if (list.worstFirst)
        std::ranges::stable_sort(rows, {},
                                 [](const ListedView& row) { return row.psnr.value_or(std::numeric_limits<double>::infinity()); });
    return rows;
}

}  // namespace splat::app
