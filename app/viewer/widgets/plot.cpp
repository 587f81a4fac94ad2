#include "viewer/widgets/plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <imgui.h>
#include <implot.h>

#include "viewer/widgets/grouped.h"
#include "viewer/window/style.h"

namespace splat::app {

namespace {

constexpr ImPlotFlags kLook = ImPlotFlags_NoTitle | ImPlotFlags_NoLegend | ImPlotFlags_NoMouseText | ImPlotFlags_NoMenus;

/// What the user has chosen for a plot; kept with its panel.
struct Choices {
    bool& follows;
    bool& logarithmic;
};

Choices choicesOf(const char* id) {
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    return {*storage.GetBoolRef(ImGui::GetID(fmt::format("{} follows", id).c_str()), true),
            *storage.GetBoolRef(ImGui::GetID(fmt::format("{} logarithmic", id).c_str()), false)};
}

/// A tick between steps would have the label of one of them.
int writeStep(double step, char* text, int size, void*) {
    const bool isStep = step >= 0 && std::abs(step - std::round(step)) < 1e-6;
    const std::string label = isStep ? grouped(static_cast<uint64_t>(std::llround(step))) : "";
    const size_t length = std::min(label.size(), static_cast<size_t>(size) - 1);
    std::copy_n(label.begin(), length, text);
    text[length] = '\0';
    return static_cast<int>(length);
}

void setUpAxes(const char* unit, const Choices& choices) {
    const ImPlotAxisFlags fit = choices.follows ? ImPlotAxisFlags_AutoFit : ImPlotAxisFlags_None;
    ImPlot::SetupAxes("step", unit, fit, fit | (*unit == '\0' ? ImPlotAxisFlags_NoLabel : ImPlotAxisFlags_None));
    ImPlot::SetupAxisFormat(ImAxis_X1, writeStep);
    if (choices.logarithmic) ImPlot::SetupAxisScale(ImAxis_Y1, ImPlotScale_Log10);
}

ImPlotPoint pointOf(int index, void* data) {
    const auto& curve = *static_cast<const Curve*>(data);
    const auto i = static_cast<size_t>(index);
    return {static_cast<double>(curve.steps[i]), static_cast<double>(curve.values[i])};
}

void drawCurve(const Curve& curve, size_t index) {
    const glm::vec4 colour = curveColour(index);
    ImPlotSpec look;
    look.LineColor = ImVec4(colour.r, colour.g, colour.b, colour.a);
    look.LineWeight = points(1.5F);
    if (curve.steps.size() == 1) look.Marker = ImPlotMarker_Circle;
    ImPlot::PlotLineG(curve.name.c_str(), pointOf, const_cast<Curve*>(&curve), static_cast<int>(curve.steps.size()), look);
}

/// Step and values nearest to the pointer, at a line through that step.
void drawHover(std::span<const Curve> curves, const char* unit) {
    const Curve& first = curves.front();
    const size_t point = nearestPoint(first.steps, ImPlot::GetPlotMousePos().x);
    const double step = first.steps[point];
    ImPlotSpec look;
    look.LineColor = ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled);
    look.LineWeight = points(1);
    ImPlot::PlotInfLines("##pointer", &step, 1, look);
    std::string text = fmt::format("step {}", grouped(first.steps[point]));
    for (const Curve& curve : curves) {
        const float value = curve.values[nearestPoint(curve.steps, step)];
        text += fmt::format("\n{}: {:.4g}{}{}", curve.name, value, *unit == '\0' ? "" : " ", unit);
    }
    ImGui::SetTooltip("%s", text.c_str());
}

void takeInput(const Choices& choices) {
    const ImGuiIO& io = ImGui::GetIO();
    const bool zooms = io.KeyCtrl && io.MouseWheel != 0;
    if (zooms || ImGui::IsMouseDragging(ImGuiMouseButton_Left) || ImGui::IsMouseClicked(ImGuiMouseButton_Right)) choices.follows = false;
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) choices.follows = true;
}

}  // namespace

size_t nearestPoint(std::span<const uint32_t> steps, double step) {
    const auto after = static_cast<size_t>(std::ranges::lower_bound(steps, step) - steps.begin());
    if (after == steps.size()) return after - 1;
    return after > 0 && step - steps[after - 1] < steps[after] - step ? after - 1 : after;
}

glm::vec4 curveColour(size_t index) {
    const ImVec4 colour = index == 0 ? ImGui::GetStyleColorVec4(ImGuiCol_PlotLines) : ImPlot::GetColormapColor(static_cast<int>(index - 1));
    return {colour.x, colour.y, colour.z, colour.w};
}

void drawPlot(const char* id, const char* unit, std::span<const Curve> curves, float lines) {
    if (curves.empty() || curves.front().steps.empty()) return;
    ImGui::PushID(id);
    const Choices choices = choicesOf(id);
    if (ImPlot::BeginPlot("##plot", {-1, lines * ImGui::GetTextLineHeight()}, kLook)) {
        setUpAxes(unit, choices);
        for (size_t i = 0; i < curves.size(); ++i) drawCurve(curves[i], i);
        if (ImPlot::IsPlotHovered()) {
            drawHover(curves, unit);
            takeInput(choices);
        }
        ImPlot::EndPlot();
    }
    ImGui::Checkbox("logarithmic", &choices.logarithmic);
    ImGui::PopID();
}

}  // namespace splat::app
