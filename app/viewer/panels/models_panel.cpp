#include <algorithm>

#include <imgui.h>
#include <glm/gtc/quaternion.hpp>

#include <imgui_stdlib.h>

#include "viewer/panels/panels.h"
#include "viewer/viewer/viewer.h"
#include "viewer/widgets/grouped.h"
#include "viewer/widgets/numbers.h"

namespace splat::app {

namespace {

constexpr float kFullTurn = 360;

void drawRow(Workspace& work, World::Id id) {
    const WorldModel& model = work.world[id];
    ImGui::PushID(static_cast<int>(id));
    bool visible = model.visible;
    if (ImGui::Checkbox("##visible", &visible)) work.world.setVisible(id, visible);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("visible");
    ImGui::SameLine();
    const std::string count = grouped(work.splats(id));
    const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(count.c_str()).x - ImGui::GetStyle().ItemSpacing.x;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::Selectable("##row", work.current == id, 0, {room, 0})) work.current = id;
    const ImVec2 text{at.x, at.y + ImGui::GetStyle().FramePadding.y};  // as high as the check box beside it has its own
    ImGui::PushClipRect(text, {text.x + room, text.y + ImGui::GetTextLineHeight()}, true);
    ImGui::GetWindowDrawList()->AddText(text, ImGui::GetColorU32(ImGuiCol_Text), model.name.c_str());  // any bytes: no label takes them
    ImGui::PopClipRect();
    ImGui::SameLine();
    ImGui::TextDisabled("%s", count.c_str());
    ImGui::PopID();
}

void drawTransform(Workspace& work, World::Id id) {
    ModelTransform transform = work.world[id].transform;
    ImGui::PushID(static_cast<int>(id));  // a drag does not go on in another model that becomes the current one
    glm::vec3 translation = transform.translation;
    auto scale = static_cast<float>(transform.scale);
    const auto step = static_cast<float>(work.world[id].extent.radius * 0.01);
    bool changed = false;
    if (dragNumbers("position", translation, step, {-kFarthest, kFarthest}, "%.3f")) {
        transform.translation = translation;
        changed = true;
    }
    constexpr double kRounding = 1e4;  // avoids -0.0 after rounding
    glm::vec3 angles = glm::round(kRounding * glm::degrees(glm::eulerAngles(glm::normalize(transform.rotation)))) / kRounding + 0.0;
    if (dragNumbers("rotation", angles, 0.5F, {-kFullTurn, kFullTurn}, "%.1f")) {
        transform.rotation = glm::dquat(glm::radians(glm::dvec3(angles)));
        changed = true;
    }
    if (dragNumber("scale", scale, 0.01F, {0.001F, 1000}, "%.3f", ImGuiSliderFlags_Logarithmic)) {
        transform.scale = scale;
        changed = true;
    }
    if (ImGui::Button("Reset transform")) {
        transform = {};
        changed = true;
    }
    ImGui::PopID();
    if (changed) work.history.dragTransform(id, transform);
}

void drawModelsPanel(Viewer& viewer) {
    Workspace& work = viewer.work();
    for (const World::Id id : work.world.ids()) drawRow(work, id);
    if (work.busy()) ImGui::TextDisabled("reading %s ...", work.waitingFor().c_str());
    if (work.current && work.world.has(*work.current)) {
        const World::Id id = *work.current;
        ImGui::Separator();
        std::string name = work.world[id].name;
        ImGui::PushItemWidth(ImGui::GetContentRegionAvail().x * 0.68F);
        if (ImGui::InputText("name", &name) && !name.empty()) work.world.rename(id, name);
        bool locked = work.world[id].locked;
        if (ImGui::Checkbox("locked", &locked)) viewer.act("lock");
        if (ImGui::IsItemHovered()) ImGui::SetTooltip("Protect the model from edits");
        ImGui::BeginDisabled(locked);
        if (!work.world[id].live) drawTransform(work, id);  // a model in training stays in the dataset's frame
        ImGui::EndDisabled();
        ImGui::PopItemWidth();
        if (ImGui::Button("Frame")) {
            work.giveBack();
            work.navigator.frame(transformed(work.world[id].extent, work.world[id].transform));
        }
        continueLine(buttonWidth("Save..."));
        drawActions(viewer, {{"Save...", "save"}, {"Duplicate", "duplicate"}, {"Close", "close"}});
    }
    if (ImGui::Button("Open...")) viewer.act("open");
}

}  // namespace

extern const Panel kModelsPanel{.title = "Models", .side = Side::left, .open = true, .useful = withAnything, .draw = drawModelsPanel};

}  // namespace splat::app
