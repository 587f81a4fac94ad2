#include "viewer/scene/comparing.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/ranges.h>

#include <splatwright/core/error.h>

namespace splat::app {

namespace {

constexpr std::array<std::string_view, 4> kWithNames{"nothing", "model", "mode", "ground_truth"};
constexpr std::array<std::string_view, kCompareLayouts> kLayoutNames{"divider", "blink", "side_by_side", "difference", "flip", "three"};
constexpr std::array<std::string_view, kCompareLayouts> kLayoutLabels{"Divider",    "Blink", "Side by side",
                                                                      "Difference", "FLIP",  "With difference"};

}  // namespace

std::string_view nameOf(CompareWith with) { return kWithNames[static_cast<size_t>(with)]; }
std::string_view nameOf(CompareLayout layout) { return kLayoutNames[static_cast<size_t>(layout)]; }
std::string_view labelOf(CompareLayout layout) { return kLayoutLabels[static_cast<size_t>(layout)]; }

CompareLayout compareLayoutByName(std::string_view name) {
    const auto* const found = std::ranges::find(kLayoutNames, name);
    if (found == kLayoutNames.end()) throw InputError("compare_layout '{}', expected one of: {}", name, fmt::join(kLayoutNames, ", "));
    return static_cast<CompareLayout>(found - kLayoutNames.begin());
}

int picturesBeside(CompareLayout layout) {
    if (layout == CompareLayout::three) return 3;
    return layout == CompareLayout::sideBySide ? 2 : 1;
}

/// Two are side by side. Three are in a row, a column or two rows, whichever makes them largest.
PictureCells cellsOf(glm::ivec2 region, int pictures, std::optional<glm::ivec2> picture) {
    const glm::dvec2 shape = picture.value_or(glm::ivec2(1));
    std::vector<glm::ivec2> grids{glm::ivec2(pictures, 1)};
    if (pictures == 3) grids = {glm::ivec2(3, 1), glm::ivec2(2, 2), glm::ivec2(1, 3)};
    const auto sizeIn = [&](glm::ivec2 grid) {
        const glm::dvec2 ratio = glm::dvec2(region / grid) / shape;
        return std::min(ratio.x, ratio.y);
    };
    const glm::ivec2 grid = *std::ranges::max_element(grids, {}, sizeIn);
    PictureCells cells{.size = glm::max(region / grid, 1)};
    for (int i = 0; i < pictures; ++i) cells.lows[static_cast<size_t>(i)] = region * glm::ivec2(i % grid.x, i / grid.x) / grid;
    return cells;
}

bool Comparing::tick(double seconds) {
    if (!blinks()) {
        nextBlink = 0;
        return false;
    }
    if (nextBlink == 0) nextBlink = seconds + blinkSeconds;
    if (seconds < nextBlink) return false;
    exchanged = !exchanged;
    nextBlink += blinkSeconds;
    if (nextBlink <= seconds) nextBlink = seconds + blinkSeconds;  // it slept
    return true;
}

}  // namespace splat::app
