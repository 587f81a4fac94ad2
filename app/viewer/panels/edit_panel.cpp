#include <array>

#include <imgui.h>

#include "viewer/panels/panels.h"
#include "viewer/viewer/viewer.h"
#include "viewer/widgets/grouped.h"

namespace splat::app {

namespace {

void toolButton(Viewer& viewer, const char* label, Tool tool, const char* action) {
    const bool active = viewer.work().selecting.tool == tool;
    if (active) ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
    if (ImGui::Button(label)) viewer.act(action);
    if (active) ImGui::PopStyleColor();
}

void drawShapes(Viewer& viewer) {
    Workspace& work = viewer.work();
    ShapeSettings& shapes = work.shapes;
    if (!ImGui::TreeNodeEx("Select by volume or opacity", ImGuiTreeNodeFlags_NoTreePushOnOpen | ImGuiTreeNodeFlags_SpanAvailWidth)) return;
    ImGui::PushItemWidth(ImGui::GetContentRegionAvail().x * 0.6F);
    ImGui::DragFloat3("centre", &shapes.centre.x, 0.01F, 0, 0, "%.3f");
    if (viewer.viewport().probe() && viewer.viewport().probe()->point && ImGui::Button("Centre at last click"))
        shapes.centre = glm::vec3(*viewer.viewport().probe()->point);
    ImGui::DragFloat("radius##sphere", &shapes.radius, 0.01F, 0, 1e6F, "%.3f");
    if (ImGui::Button("Select sphere")) work.select(WorldSphere{shapes.centre, shapes.radius}, shapes.combine);
    ImGui::DragFloat3("half size", &shapes.halfSize.x, 0.01F, 0, 1e6F, "%.3f");
    if (ImGui::Button("Select box")) work.select(WorldBox{.centre = shapes.centre, .halfSize = shapes.halfSize}, shapes.combine);
    ImGui::DragFloatRange2("opacity", &shapes.opacityLow, &shapes.opacityHigh, 0.005F, 0, 1, "%.3f");
    if (ImGui::Button("Select opacity")) work.select(OpacityRange{shapes.opacityLow, shapes.opacityHigh}, shapes.combine);
    constexpr std::array kCombine{"set", "add", "remove", "intersect"};
    int combine = static_cast<int>(shapes.combine);
    if (ImGui::Combo("mode", &combine, kCombine.data(), static_cast<int>(kCombine.size()))) shapes.combine = static_cast<Combine>(combine);
    ImGui::PopItemWidth();
}

void drawEditPanel(Viewer& viewer) {
    const shared::MarkCounts counts = viewer.work().history.counts();
    ImGui::TextWrapped("%s selected, %s hidden, %s deleted", grouped(counts.selected).c_str(), grouped(counts.hidden).c_str(),
                       grouped(counts.deleted).c_str());
    toolButton(viewer, "Navigate", Tool::navigate, "navigate");
    ImGui::SameLine();
    toolButton(viewer, "Box", Tool::rectangle, "rectangle");
    ImGui::SameLine();
    toolButton(viewer, "Brush", Tool::brush, "brush");
    ImGui::SameLine();
    toolButton(viewer, "Lasso", Tool::lasso, "lasso");
    Selecting& selecting = viewer.work().selecting;
    if (selecting.tool == Tool::brush)
        ImGui::SliderFloat("radius", &selecting.brushRadius, 2, 300, "%.0f px", ImGuiSliderFlags_Logarithmic);
    ImGui::Checkbox("all models", &selecting.allModels);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("Select in all visible models instead of the current one only");
    ImGui::TextDisabled("Shift: add, Ctrl: remove");
    const float width = (ImGui::GetContentRegionAvail().x - 2 * ImGui::GetStyle().ItemSpacing.x) / 3;
    drawActions(viewer, {{"All", "select_all"}, {"None", "select_none"}, {"Invert", "invert"}}, width);
    drawActions(viewer, {{"Hide", "hide"}, {"Show all", "show_all"}, {"Delete", "delete"}}, width);
    drawActions(viewer, {{"Crop", "crop"}, {"Undo", "undo"}, {"Redo", "redo"}}, width);
    drawShapes(viewer);
}

}  // namespace

extern const Panel kEditPanel{.title = "Selection",
                              .side = Side::left,
                              .open = true,
                              .useful = [](const Viewer& viewer) { return !viewer.work().world.ids().empty(); },
                              .draw = drawEditPanel};

}  // namespace splat::app
