#include "viewer/panels/docking.h"

#include <algorithm>
#include <map>
#include <utility>

#include <imgui.h>
#include <imgui_internal.h>

#include "viewer/panels/panels.h"
#include "viewer/window/style.h"

namespace splat::app {

namespace {

constexpr float kWidth = 22;        // letters' heights, of a side
constexpr float kWidest = 0.3F;     // part of the screen
constexpr float kAbove = 0.5F;      // part of a side that its upper panels take
constexpr float kBelowView = 0.3F;  // part of the height
constexpr ImGuiWindowFlags kHost = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBackground |
                                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNavFocus | ImGuiWindowFlags_NoSavedSettings |
                                   ImGuiWindowFlags_NoDocking;
constexpr ImGuiDockNodeFlags kSpace = ImGuiDockNodeFlags_PassthruCentralNode | ImGuiDockNodeFlags_NoDockingOverCentralNode;

ImGuiID spaceId() { return ImHashStr("dock space"); }

/// Docks the panels of a side, of which the first is in front.
void dock(ImGuiID node, Side side) {
    ImGuiID first = 0;
    short place = 0;
    for (const Panel* panel : panelTable()) {
        if (panel->side != side) continue;
        ImGui::DockBuilderDockWindow(panel->title, node);
        if (ImGuiWindow* window = ImGui::FindWindowByName(panel->title)) window->DockOrder = place++;
        if (first == 0) first = ImHashStr("#TAB", 0, ImHashStr(panel->title));
    }
    if (ImGuiDockNode* found = ImGui::DockBuilderGetNode(node)) found->SelectedTabId = first;
}

/// The default layout: two columns beside the view, each with panels above and below, and panels below the view.
void buildLayout(ImVec2 low, ImVec2 size) {
    const ImGuiID space = spaceId();
    ImGui::DockBuilderRemoveNode(space);
    ImGui::DockBuilderAddNode(space, static_cast<ImGuiDockNodeFlags>(ImGuiDockNodeFlags_DockSpace) | kSpace);
    ImGui::DockBuilderSetNodePos(space, low);
    ImGui::DockBuilderSetNodeSize(space, size);
    const float width = std::min(kWidth * ImGui::GetFontSize() / size.x, kWidest);
    ImGuiID centre = space;
    std::map<Side, ImGuiID> nodes;
    nodes[Side::left] = ImGui::DockBuilderSplitNode(centre, ImGuiDir_Left, width, nullptr, &centre);
    nodes[Side::right] = ImGui::DockBuilderSplitNode(centre, ImGuiDir_Right, width / (1 - width), nullptr, &centre);
    nodes[Side::below] = ImGui::DockBuilderSplitNode(centre, ImGuiDir_Down, kBelowView, nullptr, &centre);
    for (const auto& [above, below] : {std::pair(Side::left, Side::leftBelow), std::pair(Side::right, Side::rightBelow)})
        nodes[below] = ImGui::DockBuilderSplitNode(nodes[above], ImGuiDir_Down, 1 - kAbove, nullptr, &nodes[above]);
    for (const auto& [side, node] : nodes) dock(node, side);
    ImGui::DockBuilderFinish(space);
}

/// The window that holds the dock space, below the panels.
void drawSpace(ImVec2 low, ImVec2 size) {
    ImGui::SetNextWindowPos(low);
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::Begin("panels", nullptr, kHost);
    ImGui::PopStyleVar(2);
    ImGui::DockSpace(spaceId(), {0, 0}, kSpace);
    ImGui::End();
}

void drawPanel(Viewer& viewer, const Panel& panel) {
    bool& open = viewer.openPanels().at(panel.title);
    if (!open || !panel.useful(viewer)) return;
    const float width = kWidth * ImGui::GetFontSize();
    ImGui::SetNextWindowSize({width, width}, ImGuiCond_FirstUseEver);
    ImGuiWindowClass tab;
    tab.DockNodeFlagsOverrideSet = static_cast<ImGuiDockNodeFlags>(ImGuiDockNodeFlags_NoCloseButton);  // every tab has its own
    ImGui::SetNextWindowClass(&tab);
    if (viewer.takeFront(panel.title)) ImGui::SetNextWindowFocus();
    if (ImGui::Begin(panel.title, &open, ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoCollapse)) panel.draw(viewer);
    ImGui::End();
}

}  // namespace

Layout drawPanels(Viewer& viewer, float top, float bottom) {
    const ImVec2 low{0, top}, size{ImGui::GetIO().DisplaySize.x, std::max(bottom - top, 1.0F)};
    if (viewer.takeLayoutReset() || !ImGui::DockBuilderGetNode(spaceId())) buildLayout(low, size);
    drawSpace(low, size);
    for (const Panel* panel : panelTable()) drawPanel(viewer, *panel);
    const ImGuiDockNode& view = *ImGui::DockBuilderGetCentralNode(spaceId());
    const glm::ivec2 corner(view.Pos.x, view.Pos.y);
    return {corner, corner + glm::max(glm::ivec2(view.Size.x, view.Size.y), 1)};
}

}  // namespace splat::app
