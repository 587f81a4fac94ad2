#include "viewer/widgets/legend.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <imgui.h>

#include "viewer/window/style.h"

namespace splat::app {

namespace {

constexpr int kSteps = 48;  // of the bar
constexpr ImU32 kBehind = IM_COL32(20, 21, 25, 215), kWords = IM_COL32(235, 236, 240, 255), kWarning = IM_COL32(255, 190, 90, 255);

}  // namespace

uint32_t colourAt(double place, std::string_view colourMap) {
    const glm::vec3 colour = mappedColour(place, colourMap) * 255.0F + 0.5F;
    return IM_COL32(static_cast<int>(colour.r), static_cast<int>(colour.g), static_cast<int>(colour.b), 255);
}

void drawLegend(const RenderMode& row, const std::string& colourMap, std::pair<double, double> range, glm::ivec2 low, glm::ivec2 high) {
    const float line = ImGui::GetTextLineHeight(), edge = points(8), bar = points(12);
    const std::string title = fmt::format("{}{}", row.label, row.unit.empty() ? "" : fmt::format(" ({})", row.unit));
    const float titleWidth = ImGui::CalcTextSize(title.c_str()).x;
    const float width = std::max(titleWidth, std::min(points(240), static_cast<float>(high.x - low.x) - 4 * edge));
    const float height = 2 * line + bar + 3 * edge;
    if (width + 4 * edge > static_cast<float>(high.x - low.x) || height + 2 * edge > static_cast<float>(high.y - low.y)) return;
    const ImVec2 box{static_cast<float>(low.x) + edge, static_cast<float>(high.y) - edge - height};
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    list.AddRectFilled(box, {box.x + width + 2 * edge, box.y + height}, kBehind, points(3));
    list.AddText({box.x + edge, box.y + edge / 2}, kWords, title.c_str());
    const ImVec2 at{box.x + edge, box.y + edge + line};
    const ImVec2 end{at.x + width, at.y + bar};
    const float step = (end.x - at.x) / kSteps;
    for (int i = 0; i < kSteps; ++i) {
        const float left = at.x + step * static_cast<float>(i);
        const ImU32 from = colourAt(static_cast<double>(i) / kSteps, colourMap), to = colourAt((i + 1.0) / kSteps, colourMap);
        list.AddRectFilledMultiColor({left, at.y}, {left + step, end.y}, from, to, to, from);
    }
    list.AddRect(at, end, kWords, 0, points(1));
    // Under the bar: at its left end, in its middle and at its right end.
    const std::array numbers{range.first, (range.first + range.second) / 2, range.second};
    for (size_t i = 0; i < numbers.size(); ++i) {
        const std::string text = fmt::format("{:.4g}", numbers[i]);
        const float part = static_cast<float>(i) / 2;
        list.AddText({at.x + part * (width - ImGui::CalcTextSize(text.c_str()).x), end.y + edge / 2}, kWords, text.c_str());
    }
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
