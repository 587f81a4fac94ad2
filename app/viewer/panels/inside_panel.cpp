#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include "viewer/panels/panels.h"
#include "viewer/viewer/viewer.h"
#include "viewer/widgets/legend.h"

namespace splat::app {

namespace {

using explain::PixelLook;

constexpr double kSecondsPerStep = 0.4;
constexpr ImU32 kLine = IM_COL32(255, 146, 43, 255);

ImU32 colourOf(const glm::vec3& colour) {
    const glm::vec3 c = glm::clamp(colour, 0.0f, 1.0f);
    return ImGui::GetColorU32({c.x, c.y, c.z, 1});
}

/// Room for a figure as wide as the panel.
struct Figure {
    explicit Figure(float lines)
        : low(ImGui::GetCursorScreenPos()), size(ImGui::GetContentRegionAvail().x, lines * ImGui::GetTextLineHeight()) {
        ImGui::Dummy(size);
        list->AddRectFilled(low, {low.x + size.x, low.y + size.y}, ImGui::GetColorU32(ImGuiCol_FrameBg));
    }
    void bar(size_t index, size_t count, float height, ImU32 colour) const {
        const float cell = size.x / static_cast<float>(count), x = low.x + cell * static_cast<float>(index), bottom = low.y + size.y;
        list->AddRectFilled({x, bottom - height * size.y}, {x + std::max(cell - (cell > 3 ? 1.0f : 0.0f), 1.0f), bottom}, colour);
    }

    ImDrawList* list = ImGui::GetWindowDrawList();
    ImVec2 low, size;
};

/// A slider over the steps with a button that plays them.
int drawStepper(Viewer& viewer, Inside::Shown shown, int steps) {
    Inside::Stepper& stepper = viewer.inside().stepper(shown);
    const double now = ImGui::GetTime();
    stepper.step = std::clamp(stepper.step, 0, steps - 1);
    if (stepper.playing && now >= stepper.next) {
        stepper.next = now + kSecondsPerStep;
        stepper.playing = ++stepper.step + 1 < steps;
    }
    if (ImGui::Button(stepper.playing ? "Pause" : "Play")) {
        stepper.playing = !stepper.playing && steps > 1;
        if (stepper.step + 1 >= steps) stepper.step = 0;
        stepper.next = now + kSecondsPerStep;
    }
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1);
    if (ImGui::SliderInt("##step", &stepper.step, 0, steps - 1)) stepper.playing = false;
    if (stepper.playing) viewer.stir();
    return std::clamp(stepper.step, 0, steps - 1);
}

/// Keys as bars, whose height and colour is their rank: yellow is near, violet far.
void drawKeys(const std::vector<uint32_t>& keys, const std::vector<uint32_t>& sorted) {
    const Figure figure(5);
    for (size_t i = 0; i < keys.size(); ++i) {
        const auto rank = static_cast<float>(std::ranges::lower_bound(sorted, keys[i]) - sorted.begin());
        const float share = rank / static_cast<float>(std::max<size_t>(sorted.size() - 1, 1));
        figure.bar(i, keys.size(), 0.05f + 0.95f * share, colourAt(1.0 - static_cast<double>(share), "viridis"));
    }
}

void drawRadix(Viewer& viewer, const PixelLook& look) {
    ImGui::TextWrapped(
        "Each pass looks at 8 bits of the keys, lowest first; the running sum of the digits' counts says where a key goes. "
        "Equal digits keep their order, so the last pass leaves all keys in order.");
    const auto& passes = look.radix.passes;
    const int step = drawStepper(viewer, Inside::Shown::radix, static_cast<int>(passes.size()) + 1);
    drawKeys(step == 0 ? look.unsorted.keys : passes[static_cast<size_t>(step - 1)].after.keys, look.bitonic.keys.back());
    if (step == 0) return ImGui::TextUnformatted("As the splats lie in memory.");
    const explain::RadixPass& pass = passes[static_cast<size_t>(step - 1)];
    const auto digits = std::ranges::count_if(pass.histogram, [](uint32_t count) { return count > 0; });
    ImGui::Text("After pass %d of %zu: bits %u to %u, %d different digits", step, passes.size(), pass.firstBit, pass.firstBit + 7,
                static_cast<int>(digits));
}

void drawNetwork(Viewer& viewer, const PixelLook& look) {
    ImGui::TextWrapped(
        "Each step compares a key with the one whose index differs by a mask (XOR), and the lesser index gets the lesser key. "
        "All pairs of a step are independent, so that a GPU takes them at once.");
    const auto& [steps, keys] = look.bitonic;
    const auto step = static_cast<size_t>(drawStepper(viewer, Inside::Shown::network, static_cast<int>(keys.size())));
    drawKeys(keys[step], keys.back());
    if (step == steps.size()) return ImGui::Text("All %zu steps are done.", steps.size());
    ImGui::Text("Step %zu of %zu: blocks of %u, partner = index XOR %u", step + 1, steps.size(), steps[step].block, steps[step].mask);
}

const char* textOf(uint32_t outcome) {
    switch (outcome) {
        case shared::kMissesSubtile: return "does not reach the pixel's 8x4 sub-tile";
        case shared::kBelowCut: return "alpha is below 1/255";
        case shared::kIsBlended: return "blended";
        case shared::kEndsPixel: return "would leave less than 1/10,000: the pixel stops";
        default: return "behind the stop";
    }
}

/// Weights as bars, and the transmittance as a line above them.
void drawWeights(const PixelLook& look, size_t shown, size_t current) {
    const Figure figure(6);
    const float cell = figure.size.x / static_cast<float>(shown);
    for (size_t i = 0; i < shown; ++i) {
        const shared::BlendStep& step = look.blend.steps[i];
        if (i == current) figure.bar(i, shown, 1, ImGui::GetColorU32(ImGuiCol_FrameBgHovered));
        figure.bar(i, shown, step.weight, colourOf(look.tile.splats[i].splat.colour));
        const float after = i + 1 < look.blend.steps.size() ? look.blend.steps[i + 1].transmittance : look.blend.transmittance;
        const float x = figure.low.x + cell * static_cast<float>(i);
        figure.list->AddLine({x, figure.low.y + figure.size.y * (1 - step.transmittance)},
                             {x + cell, figure.low.y + figure.size.y * (1 - after)}, kLine, 2);
    }
}

void drawBlend(Viewer& viewer, const PixelLook& look) {
    ImGui::TextWrapped(
        "A splat contributes its alpha times the transmittance (line), the light that those in front let through. Where less than "
        "1/10,000 would be left the pixel stops.");
    const auto& steps = look.blend.steps;
    const auto lit = std::find_if(steps.rbegin(), steps.rend(), [](const auto& step) { return step.outcome == shared::kIsBlended; });
    const size_t shown = std::min(steps.size(), static_cast<size_t>(steps.rend() - lit) + 8);
    const auto i = static_cast<size_t>(drawStepper(viewer, Inside::Shown::blend, static_cast<int>(shown)));
    drawWeights(look, shown, i);
    ImGui::ColorButton("colour so far", {std::clamp(steps[i].colour.x, 0.0f, 1.0f), std::clamp(steps[i].colour.y, 0.0f, 1.0f),
                                         std::clamp(steps[i].colour.z, 0.0f, 1.0f), 1});
    ImGui::SameLine();
    ImGui::TextWrapped("Splat %zu of %zu: %s", i + 1, steps.size(), textOf(steps[i].outcome));
    ImGui::Text("alpha %.4f, transmittance %.4f, contribution %.4f", static_cast<double>(steps[i].alpha),
                static_cast<double>(steps[i].transmittance), static_cast<double>(steps[i].weight));
}

void drawInsidePanel(Viewer& viewer) {
    viewer.inside().follow(viewer.work().device(), viewer.viewport(), viewer.work().world.showsSums());
    const auto& look = viewer.inside().look();
    if (!look) return ImGui::TextDisabled("Click a pixel to see how it is made.");
    ImGui::Text("Pixel %u, %u; tile %u, %u with %zu splats", look->tile.pixel.x, look->tile.pixel.y, look->tile.tile().x,
                look->tile.tile().y, look->tile.splats.size());
    if (look->tile.splats.empty() || !ImGui::BeginTabBar("inside")) return;
    constexpr std::pair<const char*, void (*)(Viewer&, const PixelLook&)> kTabs[] = {
        {"Blend", drawBlend}, {"Radix sort", drawRadix}, {"Bitonic network", drawNetwork}};
    for (const auto& [title, draw] : kTabs) {
        if (!ImGui::BeginTabItem(title)) continue;
        draw(viewer, *look);
        ImGui::EndTabItem();
    }
    ImGui::EndTabBar();
}

}  // namespace

extern const Panel kInsidePanel{
    .title = "See inside", .side = Side::rightBelow, .open = false, .useful = withAnything, .draw = drawInsidePanel};

}  // namespace splat::app
