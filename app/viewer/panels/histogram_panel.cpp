#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <imgui.h>

#include "viewer/panels/panels.h"
#include "viewer/viewer/viewer.h"
#include "viewer/widgets/grouped.h"
#include "viewer/window/style.h"

namespace splat::app {

namespace {

constexpr float kBarLines = 8;  // of text, that the bars are high
constexpr ImU32 kSelectedColour = IM_COL32(255, 160, 50, 255), kDragColour = IM_COL32(255, 220, 90, 70);

void drawChoice(Counting& counting) {
    ImGui::SetNextItemWidth(-1);
    if (!ImGui::BeginCombo("##quantity", std::string(counting.quantity->label).c_str())) return;
    for (const SplatQuantity& row : splatQuantities()) {
        if (ImGui::Selectable(std::string(row.label).c_str(), &row == counting.quantity)) counting.quantity = &row;
        if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", std::string(row.help).c_str());
    }
    ImGui::EndCombo();
}

/// Part of the width, 0 to 1, where the pointer is and where it went down.
struct Drag {
    float from = 0, to = 0;

    float low() const { return std::min(from, to); }
    float high() const { return std::max(from, to); }
};

Drag dragOver(ImVec2 low, float width) {
    const ImGuiIO& io = ImGui::GetIO();
    const auto part = [&](float x) { return std::clamp((x - low.x) / width, 0.0F, 1.0F); };
    return {part(io.MouseClickedPos[0].x), part(io.MousePos.x)};
}

/// The bins that a drag touches, whole. The first and the last have what lies beyond the range.
std::pair<float, float> valuesOf(const Histogram& h, const Drag& drag) {
    constexpr float kBins = shared::kHistogramBins;
    const float first = std::min(std::floor(drag.low() * kBins), kBins - 1), last = std::min(std::floor(drag.high() * kBins), kBins - 1);
    const float low = first == 0 ? 0 : static_cast<float>(h.valueAt(static_cast<double>(first / kBins)));
    const float high =
        last == kBins - 1 ? std::numeric_limits<float>::max() : static_cast<float>(h.valueAt(static_cast<double>((last + 1) / kBins)));
    return {low, high};
}

void drawBars(const Histogram& h, ImVec2 low, ImVec2 size) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(low, {low.x + size.x, low.y + size.y}, ImGui::GetColorU32(ImGuiCol_FrameBg));
    const auto most = static_cast<float>(std::max(*std::ranges::max_element(h.all), 1u));
    const float step = size.x / static_cast<float>(h.all.size());
    const auto bar = [&](size_t i, uint32_t count, ImU32 colour) {
        if (count == 0) return;
        const float left = low.x + step * static_cast<float>(i), height = std::max(size.y * static_cast<float>(count) / most, points(1));
        list.AddRectFilled({left, low.y + size.y - height}, {left + step, low.y + size.y}, colour);
    };
    for (size_t i = 0; i < h.all.size(); ++i) {
        bar(i, h.all[i], ImGui::GetColorU32(ImGuiCol_TextDisabled));
        bar(i, h.selected[i], kSelectedColour);
    }
}

/// Values below the bars: at the left end, in the middle and at the right end.
void drawAxis(const Histogram& h, ImVec2 low, float width) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const float place : {0.0F, 0.5F, 1.0F}) {
        const std::string text = fmt::format("{:.3g}", h.valueAt(static_cast<double>(place)));
        list.AddText({low.x + place * (width - ImGui::CalcTextSize(text.c_str()).x), low.y}, ImGui::GetColorU32(ImGuiCol_Text),
                     text.c_str());
    }
    ImGui::Dummy({width, ImGui::GetTextLineHeight()});
}

/// What is under the pointer.
void drawTooltip(const Histogram& h, const Drag& drag) {
    const auto bin = static_cast<size_t>(std::min(drag.to * static_cast<float>(h.all.size()), static_cast<float>(h.all.size() - 1)));
    ImGui::SetTooltip("%.4g %s\n%s splats, %s selected", h.valueAt(static_cast<double>(drag.to)), std::string(h.quantity->unit).c_str(),
                      grouped(h.all[bin]).c_str(), grouped(h.selected[bin]).c_str());
}

void drawHistogram(Viewer& viewer, const Histogram& h) {
    const ImVec2 low = ImGui::GetCursorScreenPos(), size{ImGui::GetContentRegionAvail().x, kBarLines * ImGui::GetTextLineHeight()};
    ImGui::InvisibleButton("bars", {std::max(size.x, 1.0F), size.y});
    drawBars(h, low, size);
    const Drag drag = dragOver(low, size.x);
    if (ImGui::IsItemActive())
        ImGui::GetWindowDrawList()->AddRectFilled({low.x + drag.low() * size.x, low.y}, {low.x + drag.high() * size.x, low.y + size.y},
                                                  kDragColour);
    if (ImGui::IsItemHovered()) drawTooltip(h, drag);
    if (ImGui::IsItemDeactivated()) {
        const auto [from, to] = valuesOf(h, drag);
        viewer.attempt([&] { viewer.viewport().selectValues(from, to, heldCombine()); });
    }
    drawAxis(h, {low.x, ImGui::GetCursorScreenPos().y}, size.x);
    ImGui::TextWrapped("%s splats%s%s%s", grouped(h.count()).c_str(), h.quantity->unit.empty() ? "" : ", ",
                       std::string(h.quantity->unit).c_str(), h.quantity->logarithmic ? ", logarithmic" : "");
    ImGui::TextDisabled("Drag to select; Shift: add, Ctrl: remove");
}

void drawHistogramPanel(Viewer& viewer) {
    Counting& counting = viewer.work().counting;
    drawChoice(counting);
    const std::string_view missing = viewer.viewport().view().missing(*counting.quantity);
    if (!missing.empty()) return ImGui::TextWrapped("%s", std::string(missing).c_str());
    counting.want();
    if (const Histogram* shown = counting.shown()) drawHistogram(viewer, *shown);
}

}  // namespace

extern const Panel kHistogramPanel{
    .title = "Histogram", .side = Side::leftBelow, .open = true, .useful = withAnything, .draw = drawHistogramPanel};

}  // namespace splat::app
