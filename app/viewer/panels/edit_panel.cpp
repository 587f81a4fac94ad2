#include <array>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "viewer/panels/panels.h"
#include "viewer/viewer/viewer.h"
#include "viewer/widgets/grouped.h"
#include "viewer/widgets/numbers.h"

namespace splat::app {

namespace {

struct ToolButton {
    const char* label;
    Tool tool;
    const char* action;
};
constexpr ToolButton kToolButtons[] = {
    {"Navigate", Tool::navigate, "navigate"}, {"Rectangle", Tool::rectangle, "rectangle"}, {"Brush", Tool::brush, "brush"},
    {"Lasso", Tool::lasso, "lasso"},          {"Polygon", Tool::polygon, "polygon"},       {"Eyedropper", Tool::eyedropper, "eyedropper"},
    {"Flood", Tool::flood, "flood"},          {"Sphere", Tool::sphere, "sphere"},          {"Box", Tool::box, "box"},
    {"Measure", Tool::measure, "measure"}};

/// As many in a row as the panel's width takes.
void drawTools(Viewer& viewer) {
    for (const ToolButton& button : kToolButtons) {
        if (&button != &kToolButtons[0]) continueLine(buttonWidth(button.label));
        const bool active = viewer.work().selecting.tool == button.tool;
        if (active) ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
        if (ImGui::Button(button.label)) viewer.act(button.action);
        if (active) ImGui::PopStyleColor();
    }
}

void drawShapes(Viewer& viewer) {
    Workspace& work = viewer.work();
    ShapeSettings& shapes = work.shapes;
    constexpr float kLargest = 1e6F;
    if (!ImGui::TreeNodeEx("Select by volume or opacity", ImGuiTreeNodeFlags_NoTreePushOnOpen | ImGuiTreeNodeFlags_SpanAvailWidth)) return;
    ImGui::PushItemWidth(ImGui::GetContentRegionAvail().x * 0.6F);
    dragNumbers("centre", shapes.centre, 0.01F, {-kFarthest, kFarthest}, "%.3f");
    if (viewer.viewport().probe() && viewer.viewport().probe()->point && ImGui::Button("Centre at last click"))
        shapes.centre = glm::vec3(*viewer.viewport().probe()->point);
    dragNumber("radius##sphere", shapes.radius, 0.01F, {0, kLargest}, "%.3f");
    if (ImGui::Button("Select sphere")) work.select(shapes.sphere(), shapes.combine);
    dragNumbers("half size", shapes.halfSize, 0.01F, {0, kLargest}, "%.3f");
    if (ImGui::Button("Select box")) work.select(shapes.box(), shapes.combine);
    const auto opacities = [&] {
        return ImGui::DragFloatRange2("opacity", &shapes.opacityLow, &shapes.opacityHigh, 0.005F, 0, 1, "%.3f", nullptr,
                                      ImGuiSliderFlags_AlwaysClamp);
    };
    keepNumbers(opacities, shapes.opacityLow, shapes.opacityHigh);
    if (ImGui::Button("Select opacity")) work.select(OpacityRange{shapes.opacityLow, shapes.opacityHigh}, shapes.combine);
    constexpr std::array kCombine{"set", "add", "remove", "intersect"};
    int combine = static_cast<int>(shapes.combine);
    if (ImGui::Combo("mode", &combine, kCombine.data(), static_cast<int>(kCombine.size()))) shapes.combine = static_cast<Combine>(combine);
    ImGui::PopItemWidth();
}

/// The distance that was measured, and the length that it is known to have.
void drawMeasure(Viewer& viewer) {
    Measuring& measuring = viewer.work().measuring;
    const auto distance = measuring.distance();
    ImGui::Text("distance: %s", distance ? fmt::format("{:.4g}", *distance).c_str() : "click two points");
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * 0.3F);
    keepNumbers([&] { return ImGui::InputDouble("known length", &measuring.knownLength, 0, 0, "%.4g"); }, measuring.knownLength);
    continueLine(buttonWidth("Scale model"));
    drawActions(viewer, {{"Scale model", "scale_to_length"}});
}

void drawEditPanel(Viewer& viewer) {
    const shared::MarkCounts counts = viewer.work().history.counts();
    ImGui::TextWrapped("%s selected, %s hidden, %s deleted", grouped(counts.selected).c_str(), grouped(counts.hidden).c_str(),
                       grouped(counts.deleted).c_str());
    drawTools(viewer);
    Selecting& selecting = viewer.work().selecting;
    if (selecting.tool == Tool::eyedropper || selecting.tool == Tool::flood) slideNumber("tolerance", selecting.tolerance, {0, 1}, "%.2f");
    if (hasVolume(selecting.tool) || selecting.tool == Tool::polygon)
        drawActions(viewer, {{"Select", "apply_shape"}, {"Add", "add_shape"}, {"Remove", "remove_shape"}});
    if (selecting.tool == Tool::brush) slideNumber("radius", selecting.brushRadius, {2, 300}, "%.0f px", ImGuiSliderFlags_Logarithmic);
    if (selecting.tool == Tool::measure) drawMeasure(viewer);
    ImGui::Checkbox("all models", &selecting.allModels);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("Select in all visible models instead of the current one only");
    ImGui::TextDisabled("Shift: add, Ctrl: remove");
    const float width = std::floor((ImGui::GetContentRegionAvail().x - 2 * ImGui::GetStyle().ItemSpacing.x) / 3);
    drawActions(viewer, {{"All", "select_all"}, {"None", "select_none"}, {"Invert", "invert"}}, width);
    drawActions(viewer, {{"Hide", "hide"}, {"Show all", "show_all"}, {"Delete", "delete"}}, width);
    drawActions(viewer, {{"Crop", "crop"}, {"Undo", "undo"}, {"Redo", "redo"}}, width);
    drawActions(viewer, {{"Separate", "separate"}, {"Save...", "save_selection"}}, width);
    drawActions(viewer, {{"Floaters", "select_floaters"}, {"Rarely seen", "select_rarely_seen"}});
    drawShapes(viewer);
}

}  // namespace

extern const Panel kEditPanel{.title = "Selection",
                              .side = Side::left,
                              .open = true,
                              .useful = [](const Viewer& viewer) { return !viewer.work().world.ids().empty(); },
                              .draw = drawEditPanel};

}  // namespace splat::app
