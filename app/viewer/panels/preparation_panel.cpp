#include <fmt/format.h>
#include <imgui.h>

#include <splatwright/core/names.h>
#include "viewer/panels/panels.h"
#include "viewer/viewer/viewer.h"

namespace splat::app {

namespace {

/// "1:05".
std::string clock(double seconds) {
    const auto whole = static_cast<uint64_t>(seconds);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

void drawStage(const PreparingStage& stage, bool running) {
    const std::string left = stage.secondsLeft() ? fmt::format(", {} left", clock(*stage.secondsLeft())) : "";
    const std::string count = stage.total > 0  ? fmt::format(" {} of {}", stage.done, stage.total)
                              : stage.done > 0 ? fmt::format(" {}", stage.done)
                                               : "";
    if (!running) return ImGui::Text("%s%s, %s", stage.name.c_str(), count.c_str(), clock(stage.seconds).c_str());
    const float share = stage.total > 0 ? static_cast<float>(stage.done) / static_cast<float>(stage.total) : 0;
    ImGui::ProgressBar(share, {-1, 0}, fmt::format("{}{}, {}{}", stage.name, count, clock(stage.seconds), left).c_str());
}

/// Those that start another preparation come last, because they replace this one.
void drawButtons(Viewer& viewer) {
    Workspace& work = viewer.work();
    if (work.isPreparing()) {
        if (ImGui::Button("Stop")) viewer.act("stop_preparing");
        return;
    }
    const bool closes = ImGui::Button("Close");
    bool again = false;
    if (!work.preparing->report()) {
        ImGui::SameLine();
        again = ImGui::Button("Go on");
    }
    if (again) viewer.attempt([&work] { work.prepare(prepare::Settings(work.preparing->settings())); });
    if (closes) work.preparing.reset();
}

void drawPreparationPanel(Viewer& viewer) {
    const Preparing& preparing = *viewer.work().preparing;
    ImGui::TextWrapped("%s", printable(preparing.settings().input.string()).c_str());
    for (const PreparingStage& stage : preparing.stages()) drawStage(stage, &stage == &preparing.stages().back() && !preparing.ended());
    for (const std::string& note : preparing.notes()) ImGui::TextWrapped("%s", printable(note).c_str());
    if (!preparing.scene().cameras.empty() && !preparing.ended())
        ImGui::Text("%zu cameras, %zu points so far", preparing.scene().cameras.size(), preparing.scene().points.size());
    if (const auto& report = preparing.report()) {
        ImGui::TextWrapped("%zu of %zu photographs registered, %zu points, mean reprojection error %.2f pixels", report->registered,
                           report->photographs, report->points, report->meanError);
        for (const auto* list : {&report->leftOut, &report->unregistered}) {
            for (const auto& [name, reason] : *list) ImGui::TextWrapped("%s: %s", escapedName(name).c_str(), printable(reason).c_str());
        }
    }
    if (!preparing.problem().empty()) ImGui::TextWrapped("%s", printable(preparing.problem()).c_str());
    drawButtons(viewer);
}

}  // namespace

extern const Panel kPreparationPanel{.title = "Preparation",
                                     .side = Side::right,
                                     .open = true,
                                     .useful = [](const Viewer& viewer) { return viewer.work().preparing != nullptr; },
                                     .draw = drawPreparationPanel};

}  // namespace splat::app
