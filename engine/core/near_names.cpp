#include <splatwright/core/near_names.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace splat {

namespace {

/// Levenshtein distance: number of insertions, deletions and replacements between two words.
size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 0; i < a.size(); ++i) {
        size_t diagonal = row[0]++;
        for (size_t j = 0; j < b.size(); ++j) {
            const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::vector<std::string_view> nearestNames(std::vector<std::string_view> names, std::string_view unknown) {
    constexpr size_t kAtMost = 5, kLongest = 64;  // bytes: an unknown name may be a whole file
    const std::string_view word = unknown.substr(0, kLongest);
    const auto distance = [&](std::string_view name) {
        const bool within = !word.empty() && (name.find(word) != std::string_view::npos || word.find(name) != std::string_view::npos);
        return std::pair(!within, editDistance(word, name));
    };
    const auto near = [&](std::string_view name) {
        const auto [apart, edits] = distance(name);
        return !apart || edits <= std::max<size_t>(2, name.size() / 3);
    };
    std::ranges::stable_sort(names, {}, distance);
    const auto nearOnes = static_cast<size_t>(std::ranges::stable_partition(names, near).begin() - names.begin());
    names.resize(std::min({names.size(), kAtMost, nearOnes > 0 ? nearOnes : kAtMost}));
    return names;
}

}  // namespace splat
