#include "viewer/widgets/legend.h"

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include "viewer/widgets/shortened.h"
#include "viewer/window/style.h"

namespace splat::app {

namespace {

constexpr int kSteps = 48;  // of the bar
constexpr ImU32 kBehind = IM_COL32(20, 21, 25, 215), kWords = IM_COL32(235, 236, 240, 255), kWarning = IM_COL32(255, 190, 90, 255);

std::string titleOf(const Legend& legend) {
    const RenderMode& mode = legend.mode;
    return fmt::format("{}{}{}{}", mode.label, mode.unit.empty() ? "" : fmt::format(" ({})", mode.unit),
                       legend.logarithmic ? ", logarithmic" : "", legend.isLocked ? ", locked" : "");
}

/// The colour map from left to right, and the value under the pointer.
void drawBar(ImDrawList& list, const Legend& legend, ImVec2 low, ImVec2 high) {
    const float step = (high.x - low.x) / kSteps;
    for (int i = 0; i < kSteps; ++i) {
        const float left = low.x + step * static_cast<float>(i);
        const ImU32 from = colourAt(static_cast<double>(i) / kSteps, legend.colourMap), to = colourAt((i + 1.0) / kSteps, legend.colourMap);
        list.AddRectFilledMultiColor({left, low.y}, {left + step, high.y}, from, to, to, from);
    }
    list.AddRect(low, high, kWords, 0, points(1));
    if (!legend.pointed) return;
    const double place = std::clamp(placeInRange(*legend.pointed, legend.range, legend.logarithmic), 0.0, 1.0);
    const float x = low.x + static_cast<float>(place) * (high.x - low.x), over = points(3);
    list.AddLine({x, low.y - over}, {x, high.y + over}, kBehind, points(4));
    list.AddLine({x, low.y - over}, {x, high.y + over}, kWords, points(2));
}

}  // namespace

uint32_t colourAt(double place, std::string_view colourMap) {
    const glm::vec3 colour = mappedColour(place, colourMap) * 255.0F + 0.5F;
    return IM_COL32(static_cast<int>(colour.r), static_cast<int>(colour.g), static_cast<int>(colour.b), 255);
}

std::string valueText(const RenderMode& mode, double value) {
    return fmt::format("{:.4g}{}{}", value, mode.unit.empty() ? "" : " ", mode.unit);
}

void drawLegend(const Legend& legend, glm::ivec2 low, glm::ivec2 high) {
    const float line = ImGui::GetTextLineHeight(), edge = points(8), bar = points(12);
    const std::string title = titleOf(legend);
    const float titleWidth = ImGui::CalcTextSize(title.c_str()).x;
    const float width = std::max(titleWidth, std::min(points(240), static_cast<float>(high.x - low.x) - 4 * edge));
    const float height = 2 * line + bar + 3 * edge;
    if (width + 4 * edge > static_cast<float>(high.x - low.x) || height + 2 * edge > static_cast<float>(high.y - low.y)) return;
    const ImVec2 box{static_cast<float>(low.x) + edge, static_cast<float>(high.y) - edge - height};
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    list.AddRectFilled(box, {box.x + width + 2 * edge, box.y + height}, kBehind, points(3));
    list.AddText({box.x + edge, box.y + edge / 2}, kWords, title.c_str());
    const ImVec2 at{box.x + edge, box.y + edge + line};
    drawBar(list, legend, at, {at.x + width, at.y + bar});
    // Under the bar: at its left end, in its middle and at its right end.
    for (const float place : {0.0F, 0.5F, 1.0F}) {
        const std::string text = fmt::format("{:.4g}", valueAtPlace(static_cast<double>(place), legend.range, legend.logarithmic));
        list.AddText({at.x + place * (width - ImGui::CalcTextSize(text.c_str()).x), at.y + bar + edge / 2}, kWords, text.c_str());
    }
}

/// Right of the pointer and above it, where the hand does not hide it; moved into the picture.
void drawPointed(const std::string& text, glm::vec2 pointer, glm::ivec2 low, glm::ivec2 high) {
    const float edge = points(4);
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    const glm::vec2 box(size.x + 2 * edge, size.y + edge);
    const glm::vec2 wanted = pointer + glm::vec2(points(12), -points(8) - box.y);
    const glm::vec2 at = glm::max(glm::min(wanted, glm::vec2(high) - box), glm::vec2(low));
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    list.AddRectFilled({at.x, at.y}, {at.x + box.x, at.y + box.y}, kBehind, points(3));
    list.AddText({at.x + edge, at.y + edge / 2}, kWords, text.c_str());
}

void drawLabel(const std::string& text, glm::vec2 at, float room) {
    const float edge = points(4);
    const std::string shown = shortened(text, room);
    const ImVec2 size = ImGui::CalcTextSize(shown.c_str());
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    list.AddRectFilled({at.x, at.y}, {at.x + size.x + 2 * edge, at.y + size.y + edge}, kBehind, points(3));
    list.AddText({at.x + edge, at.y + edge / 2}, kWords, shown.c_str());
}

void drawNote(const std::string& text, glm::ivec2 low, glm::ivec2 high) {
    const float edge = points(8), room = static_cast<float>(high.x - low.x) - 4 * edge;
    if (room < points(40)) return;
    const ImVec2 size = ImGui::CalcTextSize(text.c_str(), nullptr, false, room);
    const ImVec2 at{static_cast<float>(low.x + high.x) / 2 - size.x / 2, static_cast<float>(low.y) + 2 * edge};
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    list.AddRectFilled({at.x - edge, at.y - edge}, {at.x + size.x + edge, at.y + size.y + edge}, kBehind, points(3));
    list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), at, kWarning, text.c_str(), nullptr, room);
}

}  // namespace splat::app
