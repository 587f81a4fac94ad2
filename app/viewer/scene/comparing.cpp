#include "viewer/scene/comparing.h"

#include <algorithm>
#include <array>

#include <fmt/ranges.h>

#include <splatwright/core/error.h>

namespace splat::app {

namespace {

constexpr std::array<std::string_view, 4> kWithNames{"nothing", "model", "mode", "ground_truth"};
constexpr std::array<std::string_view, kCompareLayouts> kLayoutNames{"divider", "blink", "side_by_side", "difference", "flip"};
constexpr std::array<std::string_view, kCompareLayouts> kLayoutLabels{"Divider", "Blink", "Side by side", "Difference", "FLIP"};

}  // namespace

std::string_view nameOf(CompareWith with) { return kWithNames[static_cast<size_t>(with)]; }
std::string_view nameOf(CompareLayout layout) { return kLayoutNames[static_cast<size_t>(layout)]; }
std::string_view labelOf(CompareLayout layout) { return kLayoutLabels[static_cast<size_t>(layout)]; }

CompareLayout compareLayoutByName(std::string_view name) {
    const auto* const found = std::ranges::find(kLayoutNames, name);
    if (found == kLayoutNames.end()) throw InputError("compare_layout '{}', expected one of: {}", name, fmt::join(kLayoutNames, ", "));
    return static_cast<CompareLayout>(found - kLayoutNames.begin());
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
