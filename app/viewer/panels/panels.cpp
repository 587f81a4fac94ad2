#include "viewer/panels/panels.h"

#include <imgui.h>

#include <splatwright/core/table.h>
#include "viewer/actions/actions.h"
#include "viewer/viewer/viewer.h"

namespace splat::app {

SPLAT_TABLE(Panel, kPanels, kModelsPanel, kPicturePanel, kCameraPanel, kEditPanel, kPreparationPanel, kTrainingPanel, kViewsPanel,
            kFitPanel, kGpuPanel, kProbePanel, kInsidePanel, kHistogramPanel, kComparePanel, kLogPanel, kTimelinePanel);

std::span<const Panel* const> panelTable() { return kPanels; }

bool withAnything(const Viewer& viewer) { return !viewer.work().isEmpty(); }

void continueLine(float width) {
    const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    if (ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width <= right) ImGui::SameLine();
}

float buttonWidth(const char* label) { return ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x; }

void drawRow(const char* name, const std::string& value) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(name);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(value.c_str());
}

void drawActions(Viewer& viewer, std::initializer_list<ActionButton> buttons, float width) {
    for (const ActionButton& button : buttons) {
        if (&button != buttons.begin()) continueLine(width > 0 ? width : buttonWidth(button.label));
        ImGui::BeginDisabled(!canRun(viewer, actionByName(button.action)));
        if (ImGui::Button(button.label, {width, 0})) viewer.act(button.action);
        ImGui::EndDisabled();
    }
}

}  // namespace splat::app
