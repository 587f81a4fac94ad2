#include <variant>

#include <imgui.h>

#include "viewer/panels/panels.h"
#include "viewer/panels/settings_panel.h"
#include "viewer/viewer/viewer.h"

namespace splat::app {

namespace {

void drawPicturePanel(Viewer& viewer) {
    RenderSettings& settings = viewer.work().picture;
    ImGui::SetNextItemWidth(-1);
    if (ImGui::BeginCombo("##picture", std::string(renderModeByName(settings.picture).label).c_str())) {
        for (const RenderMode& row : renderModes()) {
            if (ImGui::Selectable(std::string(row.label).c_str(), row.name == settings.picture)) viewer.work().showMode(row.name);
            if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", std::string(row.help).c_str());
        }
        ImGui::EndCombo();
    }
    ImGui::Checkbox("legend", &viewer.work().showsLegend);
    ImGui::SameLine();
    bool locked = !settings.autoRange;
    ImGui::BeginDisabled(!viewer.viewport().range());
    if (ImGui::Checkbox("lock range", &locked)) viewer.act("lock_range");
    ImGui::EndDisabled();
    // A picture's colours do not depend on the view.
    const auto isUnused = [&](const SettingField& field) {
        const auto* number = std::get_if<uint32_t*>(&field.value);
        return viewer.work().isFlat() && number && *number == &settings.shDegree;
    };
    drawSettings(settingFields(settings), isUnused);
    if (ImGui::Button("Reset to defaults")) settings = RenderSettings{.picture = settings.picture};
}

}  // namespace

extern const Panel kPicturePanel{
    .title = "Render", .side = Side::leftBelow, .open = true, .useful = withAnything, .draw = drawPicturePanel};

}  // namespace splat::app
