#include "viewer/panels/layout.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <imgui.h>

#include "viewer/actions/actions.h"
#include "viewer/panels/docking.h"
#include "viewer/panels/menus.h"
#include "viewer/panels/panels.h"
#include "viewer/viewer/viewer.h"
#include "viewer/widgets/grouped.h"
#include "viewer/widgets/shortened.h"
#include "viewer/window/style.h"

namespace splat::app {

namespace {

constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoDocking;
const ImVec4 kProblem{1.0F, 0.45F, 0.35F, 1.0F};

std::string figuresOf(const Viewer& viewer) {
    const Viewport& viewport = viewer.viewport();
    return fmt::format("{} visible   {:.2f} ms", grouped(viewport.lastReport().visible), viewport.milliseconds());
}

/// Width of the status bar for a notice, pixels.
float statusRoom(const Viewer& viewer) {
    return ImGui::GetIO().DisplaySize.x - ImGui::CalcTextSize(figuresOf(viewer).c_str()).x - points(50);
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

/// Between menus and status bar.
void drawHelp(Viewer& viewer, float top, float bottom) {
    if (!viewer.showsHelp()) return;
    const float width = ImGui::GetIO().DisplaySize.x;
    ImGui::SetNextWindowPos({width / 2, (top + bottom) / 2}, ImGuiCond_Appearing, {0.5F, 0.5F});
    ImGui::SetNextWindowSize({std::min(points(680), width), std::min(points(640), bottom - top)}, ImGuiCond_Appearing);
    if (ImGui::Begin("Keys", &viewer.showsHelp(),
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoDocking)) {
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
    const Layout layout = drawPanels(viewer, top, bottom);
    drawStatus(viewer, bottom);
    drawHelp(viewer, top, bottom);
    if (viewer.work().isEmpty()) drawWelcome(viewer, layout);
    return layout;
}

bool fitsStatus(Viewer& viewer) {
    const std::string& text = viewer.work().notice().text;
    return shortened(text, statusRoom(viewer)) == text;
}

}  // namespace splat::app
