#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include <splatwright/train/densify/densifier.h>
#include "viewer/panels/panels.h"
#include "viewer/panels/settings_panel.h"
#include "viewer/viewer/viewer.h"
#include "viewer/widgets/grouped.h"
#include "viewer/widgets/plot.h"
#include "viewer/window/ui.h"

namespace splat::app {

namespace {

constexpr float kPlotLines = 8;  // lines of text, height of a plot

/// Draws a curve with its name and last value.
void plot(const char* label, const char* unit, const std::vector<LivePoint>& history, const std::string& last,
          double (*value)(const LivePoint&)) {
    std::vector<float> values;
    std::vector<uint32_t> steps;
    for (const LivePoint& point : history) {
        values.push_back(static_cast<float>(value(point)));
        steps.push_back(point.step);
    }
    ImGui::TextUnformatted(label);
    ImGui::SameLine(ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(last.c_str()).x);
    ImGui::TextUnformatted(last.c_str());
    const Curve curve{.name = label, .steps = steps, .values = values};
    drawPlot(label, unit, {&curve, 1}, kPlotLines);
}

void drawProgress(const LiveState& state) {
    if (state.phase == SessionPhase::loading) {
        ImGui::ProgressBar(static_cast<float>(state.loaded), {-1, 0}, state.loading.c_str());
        return;
    }
    const bool compiles = state.phase == SessionPhase::running && state.history.empty();  // until the first step is done
    const std::string_view phase = compiles ? "compiling kernels" : nameOf(state.phase);
    const std::string text = fmt::format("step {} of {}, {}", grouped(state.last.step), grouped(state.settings.steps), phase);
    ImGui::ProgressBar(static_cast<float>(state.last.step) / static_cast<float>(state.settings.steps), {-1, 0}, text.c_str());
    if (!state.problem.empty()) ImGui::TextWrapped("%s", state.problem.c_str());
}

void drawPlots(const LiveState& state) {
    plot("loss", "", state.history, fmt::format("{:.4f}", state.last.loss), [](const LivePoint& p) { return p.loss; });
    plot("splats", "", state.history, grouped(state.last.gaussians), [](const LivePoint& p) { return static_cast<double>(p.splats); });
    plot("ms per step", "ms", state.history, fmt::format("{:.2f}", state.millisecondsPerStep),
         [](const LivePoint& p) { return p.milliseconds; });
    if (state.evaluations.empty()) return;
    std::vector<LivePoint> scores;
    for (const LiveEvaluation& e : state.evaluations) scores.push_back({.step = e.step, .loss = e.psnr});
    const LiveEvaluation& last = state.evaluations.back();
    plot("PSNR", "dB", scores, fmt::format("{:.2f} dB, SSIM {:.3f}", last.psnr, last.ssim), [](const LivePoint& p) { return p.loss; });
    if (state.phase == SessionPhase::finished && !last.warning.empty()) ImGui::TextWrapped("%s", last.warning.c_str());
}

/// The last times, in the colours of the plot.
void drawStageTimes(const std::vector<Curve>& curves) {
    if (!ImGui::BeginTable("stages", 2, ImGuiTableFlags_SizingStretchProp)) return;
    for (size_t i = 0; i < curves.size(); ++i) {
        const glm::vec4 colour = curveColour(i);
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::TextColored({colour.r, colour.g, colour.b, colour.a}, "%s", curves[i].name.c_str());
        ImGui::TableNextColumn();
        ImGui::Text("%.3f ms", static_cast<double>(curves[i].values.back()));
    }
    ImGui::EndTable();
}

void drawStages(const Training& training) {
    if (training.stages().empty()) return;
    if (!ImGui::TreeNodeEx("Stages of a training step", ImGuiTreeNodeFlags_NoTreePushOnOpen | ImGuiTreeNodeFlags_SpanAvailWidth)) return;
    std::vector<Curve> curves;
    for (const StageHistory& stage : training.stages())
        curves.push_back({.name = stage.name, .steps = stage.steps, .values = stage.milliseconds});
    drawPlot("stages", "ms", curves, kPlotLines);
    drawStageTimes(curves);
}

void drawTrainingPanel(Viewer& viewer) {
    Training& training = *viewer.work().training;
    const LiveState& state = training.state();
    drawProgress(state);
    ImGui::BeginDisabled(state.phase == SessionPhase::loading);
    const char* train = state.phase == SessionPhase::running ? "Pause" : "Start";
    drawActions(viewer, {{train, "train"}, {"Step", "step"}, {"Reset", "reset"}, {"Evaluate", "evaluate"}});
    ImGui::EndDisabled();
    drawPlots(state);
    drawStages(training);
    auto share = static_cast<float>(100 * training.pictureShare);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * 0.48F);
    if (ImGui::SliderFloat("Preview GPU budget", &share, 1, 100, "%.0f %%")) training.pictureShare = share / 100;
    const auto locked = [&](const SettingField& f) { return training.hasBegun() && f.about.restart; };
    const auto fields = settingsOf(trainedKind(training.settings).subject, settingFields(training.settings));
    if (drawSettings(fields, locked)) training.apply();
}

void drawViewsPanel(Viewer& viewer) {
    Workspace& work = viewer.work();
    Training& training = *work.training;
    ImGui::Checkbox("cameras", &work.showsCameras);
    ImGui::SameLine();
    ImGui::Checkbox("with images", &work.showsThumbnails);
    ImGui::Checkbox("ground truth beside render", &work.showsGroundTruth);
    if (work.borrowedView) {
        auto split = static_cast<float>(work.picture.split);
        ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * 0.48F);
        if (ImGui::SliderFloat("Compare slider", &split, 0, 1, "%.2f")) work.picture.split = static_cast<double>(split);
    }
    ImGui::BeginChild("views", {0, 18 * ImGui::GetTextLineHeightWithSpacing()});
    const float width = 5 * ImGui::GetFontSize();
    const auto& views = training.views();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(views.size()), 0.75F * width + ImGui::GetStyle().ItemSpacing.y);
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const auto view = static_cast<size_t>(i);
            const gpu::Texture& thumbnail = training.thumbnail(view);
            ImGui::PushID(i);
            const float height = 0.75F * width;
            const std::string label = fmt::format("{}{}", views[view].name, views[view].isTest ? "  (test)" : "");
            const ImVec2 at = ImGui::GetCursorPos();
            if (ImGui::Selectable("##view", work.borrowedView == view, 0, {0, height})) work.borrow(view);
            ImGui::SetCursorPos(at);
            ImGui::Image(textureName(thumbnail), {width, height});
            ImGui::SameLine();
            ImGui::TextUnformatted(label.c_str());
            ImGui::SetCursorPos({at.x, at.y + height + ImGui::GetStyle().ItemSpacing.y});
            ImGui::PopID();
        }
    }
    ImGui::EndChild();
}

bool whileTraining(const Viewer& viewer) { return viewer.work().training != nullptr; }

}  // namespace

extern const Panel kTrainingPanel{
    .title = "Training", .side = Side::right, .open = true, .useful = whileTraining, .draw = drawTrainingPanel};

extern const Panel kViewsPanel{
    .title = "Training images", .side = Side::right, .open = true, .useful = whileTraining, .draw = drawViewsPanel};

}  // namespace splat::app
