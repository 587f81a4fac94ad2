#include "viewer/panels/inside_parts.h"

namespace splat::app {

namespace {

using explain::PixelLook;

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
        figure.bar(i, shown, step.weight, insideColour(look.tile.splats[i].splat.colour));
        const float after = i + 1 < look.blend.steps.size() ? look.blend.steps[i + 1].transmittance : look.blend.transmittance;
        const float x = figure.low.x + cell * static_cast<float>(i);
        figure.list->AddLine({x, figure.low.y + figure.size.y * (1 - step.transmittance)},
                             {x + cell, figure.low.y + figure.size.y * (1 - after)}, kInsideLine, 2);
    }
}

}  // namespace

void drawInsideBlend(Viewer& viewer, const PixelLook& look) {
    const auto& steps = look.blend.steps;
    const auto lit = std::find_if(steps.rbegin(), steps.rend(), [](const auto& step) { return step.outcome == shared::kIsBlended; });
    const size_t shown = std::min(steps.size(), static_cast<size_t>(steps.rend() - lit) + 8);
    const auto i = static_cast<size_t>(drawStepper(viewer, Inside::Shown::blend, static_cast<int>(shown)));
    drawWeights(look, shown, i);
    ImGui::ColorButton("colour so far", {std::clamp(steps[i].colour.x, 0.0f, 1.0f), std::clamp(steps[i].colour.y, 0.0f, 1.0f),
                                         std::clamp(steps[i].colour.z, 0.0f, 1.0f), 1});
    ImGui::SameLine();
    ImGui::TextWrapped("Splat %zu of %zu: %s", i + 1, steps.size(), textOf(steps[i].outcome));
    ImGui::TextWrapped("alpha %.4f, transmittance %.4f, contribution %.4f", static_cast<double>(steps[i].alpha),
                       static_cast<double>(steps[i].transmittance), static_cast<double>(steps[i].weight));
}

}  // namespace splat::app
