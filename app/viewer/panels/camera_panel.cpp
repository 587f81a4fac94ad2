#include <fmt/format.h>
#include <imgui.h>

#include "viewer/panels/panels.h"
#include "viewer/viewer/viewer.h"
#include "viewer/widgets/numbers.h"

namespace splat::app {

namespace {

void drawModes(Navigator& navigator) {
    const bool fly = navigator.mode() == Navigator::Mode::fly;
    if (ImGui::RadioButton("Orbit", !fly)) navigator.setMode(Navigator::Mode::orbit);
    ImGui::SameLine();
    if (ImGui::RadioButton("Fly", fly)) navigator.setMode(Navigator::Mode::fly);
    ImGui::SameLine();
    ImGui::TextDisabled("V");
}

void drawCameraPanel(Viewer& viewer) {
    Workspace& work = viewer.work();
    Navigator& navigator = work.navigator;
    if (!work.isFlat()) drawModes(navigator);
    auto field = static_cast<float>(navigator.fieldOfView());
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * 0.48F);
    if (slideNumber("field of view", field, {Navigator::kLeastFieldOfView, Navigator::kMostFieldOfView}, "%.0f deg")) {
        work.giveBack();
        navigator.setFieldOfView(field);
    }
    drawActions(viewer, {{"Frame all", "frame"}, {"Reset view", "reset_view"}});
    continueLine(buttonWidth("Flip"));
    if (ImGui::Button("Flip")) navigator.setUp(-navigator.up());
    if (ImGui::Button("Bookmark")) viewer.act("bookmark");
    for (size_t i = 0; i < work.bookmarks.size(); ++i) {
        const std::string number = fmt::format("{}", i + 1);
        continueLine(buttonWidth(number.c_str()));
        if (ImGui::Button(number.c_str())) {
            work.giveBack();
            take(navigator, work.bookmarks[i]);
        }
    }
}

}  // namespace

extern const Panel kCameraPanel{.title = "Camera", .side = Side::leftBelow, .open = true, .useful = withAnything, .draw = drawCameraPanel};

}  // namespace splat::app
