#include "viewer/panels/layout.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <imgui.h>

#include <splatwright/core/names.h>
#include "viewer/actions/actions.h"
#include "viewer/panels/panels.h"
#include "viewer/viewer/viewer.h"
#include "viewer/window/style.h"

namespace splat::app {

namespace {

constexpr float kPanelWidth = 22;  // letters' heights
constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoSavedSettings;
const ImVec4 kProblem{1.0F, 0.45F, 0.35F, 1.0F};

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

/// Returns the menu bar's height.
float drawMenus(Viewer& viewer) {
    float height = 0;
    if (!ImGui::BeginMainMenuBar()) return height;
    for (const std::string_view menu : {"File", "View", "Edit", "Train", "Help"}) {
        if (!ImGui::BeginMenu(menu.data())) continue;
        for (const Action& action : actionTable()) {
            if (action.menu != menu) continue;
            std::string label = action.name;
            std::ranges::replace(label, '_', ' ');
            label[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(label[0])));
            if (ImGui::MenuItem(label.c_str(), action.chord)) viewer.act(action.name);
            if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", action.help);
        }
        if (menu == "File") drawRecent(viewer);
        ImGui::EndMenu();
    }
    height = ImGui::GetWindowSize().y;
    ImGui::EndMainMenuBar();
    return height;
}

bool isUseful(const Viewer& viewer, Side side) {
    return std::ranges::any_of(panelTable(), [&](const Panel* p) { return p->side == side && p->useful(viewer); });
}

void drawSide(Viewer& viewer, Side side, ImVec2 low, ImVec2 high) {
    ImGui::SetNextWindowPos(low);
    ImGui::SetNextWindowSize({high.x - low.x, high.y - low.y});
    if (ImGui::Begin(side == Side::left ? "left" : "right", nullptr, kFixed)) {
        for (const Panel* panel : panelTable()) {
            if (panel->side != side || !panel->useful(viewer)) continue;
            if (!ImGui::CollapsingHeader(panel->title, panel->open ? ImGuiTreeNodeFlags_DefaultOpen : 0)) continue;
            ImGui::PushID(panel->title);
            panel->draw(viewer);
            ImGui::PopID();
            ImGui::Spacing();
        }
    }
    ImGui::End();
}

std::string figuresOf(const Viewer& viewer) {
    const Viewport& viewport = viewer.viewport();
    return fmt::format("{} visible   {:.2f} ms", viewport.lastReport().visible, viewport.milliseconds());
}

/// Width of the status bar for a notice, pixels.
float statusRoom(const Viewer& viewer) {
    return ImGui::GetIO().DisplaySize.x - ImGui::CalcTextSize(figuresOf(viewer).c_str()).x - points(50);
}

/// The first line of a text, cut to the available width.
std::string shortened(const std::string& text, float room) {
    std::string line = text.substr(0, text.find('\n'));
    const bool whole = line.size() == text.size();
    if (whole && ImGui::CalcTextSize(line.c_str()).x <= room) return line;
    while (!line.empty() && ImGui::CalcTextSize((line + "...").c_str()).x > room) {
        while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0xc0u) == 0x80u) line.pop_back();  // of a character in UTF-8
        if (!line.empty()) line.pop_back();
    }
    return line + "...";
}

void drawNotice(Viewer& viewer) {
    const Notice& notice = viewer.work().notice();
    if (!notice.isFresh()) return ImGui::TextUnformatted("");
    const std::string shown = shortened(notice.text, statusRoom(viewer));
    ImGui::PushStyleColor(ImGuiCol_Text, notice.problem ? kProblem : ImGui::GetStyleColorVec4(ImGuiCol_Text));
    ImGui::TextUnformatted(shown.c_str());
    ImGui::PopStyleColor();
    if (shown == notice.text) return;
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("click to read it in full");
    if (ImGui::IsItemClicked()) viewer.message().show(notice.text);
}

void drawStatus(Viewer& viewer, float top) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({0, top});
    ImGui::SetNextWindowSize({screen.x, screen.y - top});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {points(10), points(3)});
    if (ImGui::Begin("status", nullptr, kFixed | ImGuiWindowFlags_NoScrollbar)) {
        drawNotice(viewer);
        const std::string figures = figuresOf(viewer);
        ImGui::SameLine(screen.x - ImGui::CalcTextSize(figures.c_str()).x - points(20));
        ImGui::TextDisabled("%s", figures.c_str());
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

void drawHelp(Viewer& viewer) {
    if (!viewer.showsHelp()) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Appearing, {0.5F, 0.5F});
    ImGui::SetNextWindowSize({std::min(points(680), screen.x), std::min(points(640), screen.y)}, ImGuiCond_Appearing);
    if (ImGui::Begin("Keys", &viewer.showsHelp(), ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings)) {
        ImGui::TextWrapped(
            "Drag: orbit. Right or middle button: pan. Wheel: zoom. Double click: look there. W A S D Q E: move, Shift faster, "
            "Alt slower. A click lists the splats of a pixel.");
        if (ImGui::BeginTable("keys", 2, ImGuiTableFlags_RowBg)) {
            float widest = 0;
            for (const Action& action : actionTable()) widest = std::max(widest, ImGui::CalcTextSize(action.chord).x);
            ImGui::TableSetupColumn("key", ImGuiTableColumnFlags_WidthFixed, widest + points(12));
            ImGui::TableSetupColumn("action", ImGuiTableColumnFlags_WidthStretch);
            for (const Action& action : actionTable()) {
                if (*action.chord == '\0') continue;
                ImGui::TableNextRow();
                ImGui::TableNextColumn();
                ImGui::TextUnformatted(action.chord);
                ImGui::TableNextColumn();
                ImGui::TextWrapped("%s", action.help);
            }
            ImGui::EndTable();
        }
    }
    ImGui::End();
}

}  // namespace

Layout drawLayout(Viewer& viewer) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    if (!viewer.showsPanels()) return {{0, 0}, glm::ivec2(screen.x, screen.y)};
    const float top = drawMenus(viewer);
    const float bottom = screen.y - ImGui::GetFrameHeight();
    const float width = std::min(kPanelWidth * ImGui::GetFontSize(), screen.x * 0.3F);
    float left = 0, right = screen.x;
    if (isUseful(viewer, Side::left)) drawSide(viewer, Side::left, {0, top}, {left = width, bottom});
    if (isUseful(viewer, Side::right)) drawSide(viewer, Side::right, {right = screen.x - width, top}, {screen.x, bottom});
    drawStatus(viewer, bottom);
    drawHelp(viewer);
    const Layout layout{glm::ivec2(left, top), glm::max(glm::ivec2(right, bottom), glm::ivec2(left + 1, top + 1))};
    if (viewer.work().isEmpty()) drawWelcome(viewer, layout);
    return layout;
}

bool fitsStatus(Viewer& viewer) {
    const std::string& text = viewer.work().notice().text;
    return shortened(text, statusRoom(viewer)) == text;
}

}  // namespace splat::app
