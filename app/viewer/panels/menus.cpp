#include "viewer/panels/menus.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include <imgui.h>

#include <splatwright/core/names.h>
#include "viewer/actions/actions.h"
#include "viewer/panels/panels.h"
#include "viewer/viewer/viewer.h"

namespace splat::app {

namespace {

void drawRecent(Viewer& viewer) {
    Workspace& work = viewer.work();
    if (!ImGui::BeginMenu("Open recent", !work.recent.paths().empty())) return;
    for (const auto& path : work.recent.paths()) {
        if (ImGui::MenuItem(printable(path.string()).c_str())) {
            work.open(path);
            break;  // the list changes
        }
    }
    ImGui::EndMenu();
}

/// "select_all" as "Select all", "toggle_ui" as "Toggle UI".
std::string labelOf(const Action& action) {
    std::string label = action.name;
    std::ranges::replace(label, '_', ' ');
    if (label.ends_with(" ui")) std::ranges::copy(std::string_view("UI"), label.end() - 2);
    label[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(label[0])));
    return label;
}

void drawItem(Viewer& viewer, const Action& action) {
    const bool checked = action.checked && action.checked(viewer);
    if (ImGui::MenuItem(labelOf(action).c_str(), action.chord, checked, canRun(viewer, action))) viewer.act(action.name);
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) ImGui::SetTooltip("%s", action.help);
}

/// A panel without anything to show is grey.
void drawPanelList(Viewer& viewer) {
    for (const Panel* panel : panelTable())
        ImGui::MenuItem(panel->title, nullptr, &viewer.openPanels().at(panel->title), panel->useful(viewer));
    ImGui::Separator();
}

}  // namespace

float drawMenus(Viewer& viewer) {
    float height = 0;
    if (!ImGui::BeginMainMenuBar()) return height;
    for (const std::string_view menu : {"File", "View", "Compare", "Edit", "Train", "Window", "Help"}) {
        if (!ImGui::BeginMenu(menu.data())) continue;
        if (menu == "Window") drawPanelList(viewer);
        for (const Action& action : actionTable())
            if (action.menu == menu) drawItem(viewer, action);
        if (menu == "File") drawRecent(viewer);
        ImGui::EndMenu();
    }
    height = ImGui::GetWindowSize().y;
    ImGui::EndMainMenuBar();
    return height;
}

}  // namespace splat::app
