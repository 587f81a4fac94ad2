#include <algorithm>

#include "viewer/panels/inside_parts.h"
#include "viewer/widgets/grouped.h"
#include "viewer/window/style.h"

namespace splat::app {

namespace {

using explain::SearchStep;
using explain::WeightedDraw;

float partOf(uint64_t sum, const WeightedDraw& draw) {
    return static_cast<float>(static_cast<double>(sum) / static_cast<double>(std::max<uint64_t>(draw.total(), 1)));
}

/// The running sum of the weights, as fine as the figure has pixels.
void drawCurve(const Figure& figure, const WeightedDraw& draw) {
    const size_t count = draw.sums.size(), cells = std::min(count, static_cast<size_t>(std::max(figure.size.x, 2.0f)));
    std::vector<ImVec2> line{figure.at(0, 1)};
    for (size_t i = 1; i <= cells; ++i) {
        const size_t index = i * count / cells - 1;
        line.push_back(figure.at(static_cast<float>(index + 1) / static_cast<float>(count), 1 - partOf(draw.sums[index], draw)));
    }
    figure.list->AddPolyline(line.data(), static_cast<int>(line.size()), ImGui::GetColorU32(ImGuiCol_PlotLines), 2.0f);
}

/// The target's height, and which splats are still in question.
void drawSearch(const WeightedDraw& draw, uint64_t target, const SearchStep& step) {
    const Figure figure(9);
    const float all = static_cast<float>(draw.sums.size());
    const auto x = [&](uint32_t splat) { return static_cast<float>(splat) / all; };
    figure.fill({x(step.low), 0}, {x(step.high + 1), 1}, ImGui::GetColorU32(ImGuiCol_FrameBgHovered));
    drawCurve(figure, draw);
    const float height = 1 - partOf(target, draw), middle = x(step.middle) + 0.5f / all;
    figure.list->AddLine(figure.at(0, height), figure.at(middle, height), kInsideLine, 1);
    figure.list->AddLine(figure.at(middle, 0), figure.at(middle, 1), kInsideLine, 1);
    figure.list->AddCircleFilled(figure.at(middle, 1 - partOf(draw.sums[step.middle], draw)), points(3), kInsideLine);
}

void chooseNumber(Inside& inside, const InsideDraw& drawn) {
    int number = static_cast<int>(inside.numberOf(drawn)) + 1;
    ImGui::SetNextItemWidth(-1);
    ImGui::SliderInt("##number", &number, 1, static_cast<int>(drawn.numbers()), "random number %d", ImGuiSliderFlags_AlwaysClamp);
    if (ImGui::IsItemActive()) inside.choice.number = static_cast<uint32_t>(number) - 1;
}

void describe(const WeightedDraw& draw, uint64_t target, const SearchStep& step) {
    ImGui::TextWrapped("Splats %s to %s are in question. The sum up to splat %s is %s, %s than %s: the search goes on %s.",
                       grouped(step.low).c_str(), grouped(step.high).c_str(), grouped(step.middle).c_str(),
                       grouped(draw.sums[step.middle]).c_str(), step.exceeds ? "more" : "not more", grouped(target).c_str(),
                       step.exceeds ? "at or before it" : "behind it");
}

}  // namespace

void drawInsideSearch(Viewer& viewer, const explain::PixelLook&) {
    Inside& inside = viewer.inside();
    const InsideDraw* found = inside.draw(viewer.work(), viewer.viewport());
    if (!found) return ImGui::TextWrapped("%s", inside.lacksDraw().c_str());
    const InsideDraw& drawn = *found;
    const WeightedDraw& draw = drawn.draw;
    ImGui::TextWrapped("%s", drawn.describe().c_str());
    if (drawn.numbers() == 0) return ImGui::TextWrapped("No splat has a weight, so none is drawn.");
    chooseNumber(inside, drawn);
    const uint64_t target = draw.targets[inside.numberOf(drawn)];
    const uint32_t source = draw.sources[inside.numberOf(drawn)];
    const std::vector<SearchStep> steps = explain::searchOf(draw, target);
    const auto step = static_cast<size_t>(drawStepper(viewer, Inside::Shown::draw, static_cast<int>(steps.size()) + 1));
    const bool isFound = step == steps.size();
    const SearchStep shown = isFound ? SearchStep{.low = source, .high = source, .middle = source} : steps[step];
    drawSearch(draw, target, shown);
    if (!isFound) return describe(draw, target, shown);
    ImGui::TextWrapped("Found: %s is on the step of splat %s, which is %s high of %s in all.", grouped(target).c_str(),
                       grouped(source).c_str(), grouped(draw.weights[source]).c_str(), grouped(draw.total()).c_str());
}

}  // namespace splat::app
