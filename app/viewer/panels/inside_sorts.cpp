#include <algorithm>

#include "viewer/panels/inside_parts.h"
#include "viewer/viewer/radix_moment.h"
#include "viewer/widgets/grouped.h"
#include "viewer/widgets/legend.h"
#include "viewer/window/style.h"

namespace splat::app {

namespace {

/// Keys as bars, whose height and colour is their rank: yellow is near, violet far.
struct KeyBars {
    const std::vector<uint32_t>& sorted;
    size_t count = sorted.size();

    void draw(const Figure& figure, size_t place, uint32_t key, bool isMarked = false) const {
        const auto rank = static_cast<float>(std::ranges::lower_bound(sorted, key) - sorted.begin());
        const float share = rank / static_cast<float>(std::max<size_t>(count - 1, 1));
        if (isMarked) figure.mark(place, count);
        figure.bar(place, count, 0.05f + 0.95f * share, isMarked ? kInsideLine : colourAt(1.0 - static_cast<double>(share), "viridis"));
    }
};

void drawKeys(const std::vector<uint32_t>& keys, const std::vector<uint32_t>& sorted) {
    const Figure figure(5);
    const KeyBars bars{sorted};
    for (size_t i = 0; i < keys.size(); ++i) bars.draw(figure, i, keys[i]);
}

void drawBefore(const RadixMoment& moment, const KeyBars& bars) {
    ImGui::Text("%s: %s", moment.from(), moment.passIndex == 0 ? "as the splats lie in memory" : "as the last pass left them");
    const Figure figure(3);
    for (size_t i = 0; i < bars.count; ++i) bars.draw(figure, i, moment.before.keys[i], i + 1 == moment.moved);
}

/// Only the keys that have moved.
void drawAfter(const RadixMoment& moment, const KeyBars& bars) {
    ImGui::Text("%s: where the keys go", moment.to());
    const Figure figure(3);
    for (size_t i = 0; i < moment.moved; ++i) bars.draw(figure, moment.pass.places[i], moment.before.keys[i], i + 1 == moment.moved);
}

/// The running sum of the counts, as a staircase up to all keys.
void drawSums(const Figure& figure, const std::vector<uint32_t>& sums, size_t keys) {
    std::vector<ImVec2> line;
    for (size_t digit = 0; digit < sums.size(); ++digit) {
        const float height = 1 - static_cast<float>(sums[digit]) / static_cast<float>(keys);
        line.push_back(figure.at(static_cast<float>(digit) / static_cast<float>(sums.size()), height));
        line.push_back(figure.at(static_cast<float>(digit + 1) / static_cast<float>(sums.size()), height));
    }
    line.push_back(figure.at(1, 0));
    figure.list->AddPolyline(line.data(), static_cast<int>(line.size()), ImGui::GetColorU32(ImGuiCol_Text), points(1.5f));
}

void drawDigits(const RadixMoment& moment, size_t keys) {
    ImGui::TextWrapped("bars: keys per digit; line: keys with a lesser digit");
    const Figure figure(4);
    const auto &histogram = moment.pass.histogram, &prefix = moment.pass.prefix;
    const auto most = static_cast<float>(std::ranges::max(histogram));
    const auto current = moment.current();
    for (uint32_t digit = 0; digit < histogram.size(); ++digit) {
        const bool isMarked = current && current->digit == digit;
        if (isMarked) figure.mark(digit, histogram.size());
        figure.bar(digit, histogram.size(), static_cast<float>(histogram[digit]) / most,
                   isMarked ? kInsideLine : ImGui::GetColorU32(ImGuiCol_PlotHistogram));
    }
    drawSums(figure, prefix, keys);
    const ImVec2 at = figure.pointer();
    if (at.x < 0 || at.x >= 1) return;
    const auto digit = static_cast<size_t>(at.x * static_cast<float>(histogram.size()));
    ImGui::SetTooltip("digit %zu: %u keys, %u with a lesser digit", digit, histogram[digit], prefix[digit]);
}

void describe(const RadixMoment& moment, size_t passes) {
    const explain::RadixPass& pass = moment.pass;
    ImGui::TextWrapped("Pass %zu of %zu: bits %u to %u, from %s to %s", moment.passIndex + 1, passes, pass.firstBit, pass.firstBit + 7,
                       moment.from(), moment.to());
    const auto key = moment.current();
    if (!key) {
        const auto digits = std::ranges::count_if(pass.histogram, [](uint32_t count) { return count > 0; });
        return ImGui::TextWrapped("The keys are counted: %td different digits", digits);
    }
    const uint32_t less = pass.prefix[key->digit];
    ImGui::TextWrapped("Key %s has digit %u: %s keys have a lesser one, and %s before it the same, so it goes to place %s.",
                       grouped(key->index).c_str(), key->digit, grouped(less).c_str(), grouped(key->place - less).c_str(),
                       grouped(key->place).c_str());
}

/// A slider over the passes, which goes to the beginning of one.
void choosePass(Inside::Stepper& stepper, const explain::PixelLook& look) {
    const int passes = static_cast<int>(look.radix.passes.size()), moments = static_cast<int>(radixMoments(look)) / passes;
    int pass = std::clamp(stepper.step / moments, 0, passes - 1) + 1;
    ImGui::SetNextItemWidth(-1);
    if (ImGui::SliderInt("##pass", &pass, 1, passes, "pass %d", ImGuiSliderFlags_AlwaysClamp)) stepper.step = (pass - 1) * moments;
}

}  // namespace

void drawInsideRadix(Viewer& viewer, const explain::PixelLook& look) {
    choosePass(viewer.inside().stepper(Inside::Shown::radix), look);
    const int step = drawStepper(viewer, Inside::Shown::radix, static_cast<int>(radixMoments(look)));
    const RadixMoment moment = radixMoment(look, static_cast<size_t>(step));
    const KeyBars bars{look.bitonic.keys.back()};
    drawBefore(moment, bars);
    drawDigits(moment, bars.count);
    drawAfter(moment, bars);
    describe(moment, look.radix.passes.size());
}

void drawInsideNetwork(Viewer& viewer, const explain::PixelLook& look) {
    const auto& [steps, keys] = look.bitonic;
    const auto step = static_cast<size_t>(drawStepper(viewer, Inside::Shown::network, static_cast<int>(keys.size())));
    drawKeys(keys[step], keys.back());
    if (step == steps.size()) return ImGui::TextWrapped("All %zu steps are done.", steps.size());
    ImGui::TextWrapped("Step %zu of %zu: blocks of %u, partner = index XOR %u", step + 1, steps.size(), steps[step].block,
                       steps[step].mask);
}

}  // namespace splat::app
