#include "viewer/widgets/plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

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
    bool follows = true;
    bool logarithmic = false;
};

Choices keptChoices(ImGuiID follows, ImGuiID logarithmic) {
    const ImGuiStorage& storage = *ImGui::GetStateStorage();
    return {storage.GetBool(follows, true), storage.GetBool(logarithmic, false)};
}

bool isWhole(double number) { return number >= 0 && std::abs(number - std::round(number)) < 1e-6; }

int writeLabel(const std::string& label, char* text, int size) {
    const size_t length = std::min(label.size(), static_cast<size_t>(size) - 1);
    std::copy_n(label.begin(), length, text);
    text[length] = '\0';
    return static_cast<int>(length);
}

/// A tick between steps would have the label of one of them.
int writeStep(double step, char* text, int size, void*) {
    return writeLabel(isWhole(step) ? grouped(static_cast<uint64_t>(std::llround(step))) : "", text, size);
}

int writeValue(double value, char* text, int size, void*) {
    const bool isCount = value >= 1000 && isWhole(value);
    return writeLabel(isCount ? grouped(static_cast<uint64_t>(std::llround(value))) : fmt::format("{:g}", value), text, size);
}

void setUpAxes(const char* unit, const Choices& choices) {
    const ImPlotAxisFlags fit = choices.follows ? ImPlotAxisFlags_AutoFit : ImPlotAxisFlags_None;
    ImPlot::SetupAxes("step", unit, fit, fit | (*unit == '\0' ? ImPlotAxisFlags_NoLabel : ImPlotAxisFlags_None));
    ImPlot::SetupAxisFormat(ImAxis_X1, writeStep);
    ImPlot::SetupAxisFormat(ImAxis_Y1, writeValue);
    if (choices.logarithmic) ImPlot::SetupAxisScale(ImAxis_Y1, ImPlotScale_Log10);
}

/// Points of a curve, chosen by index.
struct Points {
    const Curve& curve;
    std::vector<size_t> chosen;
};

ImPlotPoint pointOf(int index, void* data) {
    const auto& points = *static_cast<const Points*>(data);
    const size_t i = points.chosen[static_cast<size_t>(index)];
    return {static_cast<double>(points.curve.steps[i]), static_cast<double>(points.curve.values[i])};
}

/// What the plot shows of a curve: all of it while the axes follow, else the points in view and one more at either side.
Points shownPoints(const Curve& curve, bool follows) {
    size_t first = 0, end = curve.steps.size();
    if (!follows) {
        const ImPlotRange view = ImPlot::GetPlotLimits().X;
        const auto at = [&](double step) { return static_cast<size_t>(std::ranges::lower_bound(curve.steps, step) - curve.steps.begin()); };
        first = std::max<size_t>(at(view.Min), 1) - 1;
        end = std::min(at(view.Max) + 2, end);
    }
    return {curve, drawnPoints(curve.values, first, end - first, static_cast<size_t>(std::max(ImPlot::GetPlotSize().x, 1.0F)))};
}

void drawCurve(const Curve& curve, size_t index, bool follows) {
    const glm::vec4 colour = curveColour(index);
    ImPlotSpec look;
    look.LineColor = ImVec4(colour.r, colour.g, colour.b, colour.a);
    look.LineWeight = points(1.5F);
    if (curve.steps.size() == 1) look.Marker = ImPlotMarker_Circle;
    Points shown = shownPoints(curve, follows);
    ImPlot::PlotLineG(curve.name.c_str(), pointOf, &shown, static_cast<int>(shown.chosen.size()), look);
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

void takeInput(Choices& choices) {
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

std::vector<size_t> drawnPoints(std::span<const float> values, size_t first, size_t count, size_t columns) {
    std::vector<size_t> drawn{first};
    const size_t end = first + count, column = count / std::max<size_t>(columns, 1) + 1;
    if (column <= 2) {
        drawn.resize(count);
        std::iota(drawn.begin(), drawn.end(), first);
        return drawn;
    }
    for (size_t begin = first; begin < end; begin += column) {
        const auto part = values.subspan(begin, std::min(column, end - begin));
        const auto [low, high] = std::ranges::minmax_element(part);
        const size_t a = begin + static_cast<size_t>(low - part.begin()), b = begin + static_cast<size_t>(high - part.begin());
        for (const size_t i : {std::min(a, b), std::max(a, b)})
            if (drawn.back() < i) drawn.push_back(i);
    }
    if (drawn.back() != end - 1) drawn.push_back(end - 1);
    return drawn;
}

glm::vec4 curveColour(size_t index) {
    const ImVec4 colour = index == 0 ? ImGui::GetStyleColorVec4(ImGuiCol_PlotLines) : ImPlot::GetColormapColor(static_cast<int>(index - 1));
    return {colour.x, colour.y, colour.z, colour.w};
}

void drawPlot(const char* id, const char* unit, std::span<const Curve> curves, float lines) {
    if (curves.empty() || curves.front().steps.empty()) return;
    ImGui::PushID(id);
    const ImGuiID follows = ImGui::GetID("follows"), logarithmic = ImGui::GetID("is logarithmic");
    Choices choices = keptChoices(follows, logarithmic);
    // The last step's label is centred at the axis' end.
    ImPlot::PushStyleVar(ImPlotStyleVar_PlotPadding, {0.5F * ImGui::CalcTextSize("100,000").x, ImPlot::GetStyle().PlotPadding.y});
    if (ImPlot::BeginPlot("##plot", {-1, lines * ImGui::GetTextLineHeight()}, kLook)) {
        setUpAxes(unit, choices);
        for (size_t i = 0; i < curves.size(); ++i) drawCurve(curves[i], i, choices.follows);
        if (ImPlot::IsPlotHovered()) {
            drawHover(curves, unit);
            takeInput(choices);
        }
        ImPlot::EndPlot();
    }
    ImPlot::PopStyleVar();
    ImGui::Checkbox("logarithmic", &choices.logarithmic);
    ImGui::GetStateStorage()->SetBool(follows, choices.follows);
    ImGui::GetStateStorage()->SetBool(logarithmic, choices.logarithmic);
    ImGui::PopID();
}

}  // namespace splat::app
