#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/presets/presets.h>
#include "viewer/panels/panels.h"
#include "viewer/panels/settings_panel.h"
#include "viewer/panels/strip_row.h"
#include "viewer/viewer/viewer.h"
#include "viewer/widgets/grouped.h"
#include "viewer/widgets/numbers.h"
#include "viewer/widgets/plot.h"

namespace splat::app {

namespace {

constexpr float kPlotLines = 8;  // lines of text, height of a plot

/// The name of a plot, and its last value at the right.
void drawTitle(const char* label, const std::string& last) {
    ImGui::TextUnformatted(label);
    ImGui::SameLine(ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(last.c_str()).x);
    ImGui::TextUnformatted(last.c_str());
}

/// Values of the points of the history, one list per curve.
struct Values {
    std::vector<uint32_t> steps;
    std::vector<float> values;
};

Values valuesOf(const std::vector<LivePoint>& history, const std::function<double(const LivePoint&)>& value) {
    Values values;
    for (const LivePoint& point : history) {
        values.steps.push_back(point.step);
        values.values.push_back(static_cast<float>(value(point)));
    }
    return values;
}

/// A quantity of the history, and the same of an earlier run.
struct Plotted {
    const char* label;
    const char* unit;
    double (*value)(const LivePoint&);
    std::vector<float> EarlierRun::*earlier;
};
constexpr Plotted kLoss{"loss", "", [](const LivePoint& p) { return p.loss; }, &EarlierRun::losses};
constexpr Plotted kSplats{"splats", "", [](const LivePoint& p) { return static_cast<double>(p.splats); }, &EarlierRun::splats};
constexpr Plotted kMilliseconds{"ms per step", "ms", [](const LivePoint& p) { return p.milliseconds; }, &EarlierRun::milliseconds};

void drawHistory(const Training& training, const Plotted& plotted, const std::string& last) {
    const Values now = valuesOf(training.state().history, plotted.value);
    std::vector<Curve> curves{{.name = plotted.label, .steps = now.steps, .values = now.values}};
    if (const auto& earlier = training.earlier)
        curves.push_back({.name = earlier->name, .steps = earlier->steps, .values = (*earlier).*plotted.earlier});
    drawTitle(plotted.label, last);
    drawPlot(plotted.label, plotted.unit, curves, kPlotLines);
}

/// The mean over test views, the worst of them, and the mean of an earlier run.
void drawScores(const Training& training) {
    const LiveState& state = training.state();
    if (state.evaluations.empty()) return;
    std::vector<uint32_t> steps;
    std::vector<float> means, worst;
    for (const LiveEvaluation& e : state.evaluations) {
        steps.push_back(e.step);
        means.push_back(static_cast<float>(e.psnr));
        worst.push_back(static_cast<float>(e.worst));
    }
    std::vector<Curve> curves{{.name = "mean", .steps = steps, .values = means}, {.name = "worst view", .steps = steps, .values = worst}};
    if (const auto& earlier = training.earlier; earlier && !earlier->psnr.empty())
        curves.push_back({.name = earlier->name, .steps = earlier->evaluatedSteps, .values = earlier->psnr});
    const LiveEvaluation& last = state.evaluations.back();
    drawTitle("PSNR", fmt::format("{:.2f} dB, SSIM {:.3f}", last.psnr, last.ssim));
    drawPlot("PSNR", "dB", curves, kPlotLines);
    if (state.phase == SessionPhase::finished && !last.warning.empty()) ImGui::TextWrapped("%s", last.warning.c_str());
}

/// Names and last values of curves, in their colours.
void drawKey(const std::vector<Curve>& curves, const char* format) {
    if (!ImGui::BeginTable("key", 2, ImGuiTableFlags_SizingStretchProp)) return;
    for (size_t i = 0; i < curves.size(); ++i) {
        const glm::vec4 colour = curveColour(i);
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::TextColored({colour.r, colour.g, colour.b, colour.a}, "%s", curves[i].name.c_str());
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(fmt::format(fmt::runtime(format), curves[i].values.back()).c_str());
    }
    ImGui::EndTable();
}

/// The terms of the loss times their weights, whose sum is the loss.
void drawTerms(const LiveState& state) {
    if (state.history.empty() || state.lossTerms.empty()) return;
    if (!ImGui::TreeNodeEx("Terms of the loss", ImGuiTreeNodeFlags_NoTreePushOnOpen | ImGuiTreeNodeFlags_SpanAvailWidth)) return;
    std::vector<Values> terms;
    for (size_t term = 0; term < state.lossTerms.size(); ++term)
        terms.push_back(valuesOf(state.history, [term](const LivePoint& p) { return static_cast<double>(p.terms[term]); }));
    std::vector<Curve> curves;
    for (size_t term = 0; term < terms.size(); ++term)
        curves.push_back({.name = std::string(state.lossTerms[term]), .steps = terms[term].steps, .values = terms[term].values});
    drawPlot("terms", "", curves, kPlotLines);
    drawKey(curves, "{:.5f}");
}

void drawStages(const Training& training) {
    if (training.stages().empty()) return;
    if (!ImGui::TreeNodeEx("Stages of a training step", ImGuiTreeNodeFlags_NoTreePushOnOpen | ImGuiTreeNodeFlags_SpanAvailWidth)) return;
    std::vector<Curve> curves;
    for (const StageHistory& stage : training.stages())
        curves.push_back({.name = stage.name, .steps = stage.steps, .values = stage.milliseconds});
    drawPlot("stages", "ms", curves, kPlotLines);
    drawKey(curves, "{:.3f} ms");
}

void drawProgress(const Training& training) {
    const LiveState& state = training.state();
    if (state.phase == SessionPhase::loading) {
        ImGui::ProgressBar(static_cast<float>(state.loaded), {-1, 0}, state.loading.c_str());
        return;
    }
    const bool compiles = state.phase == SessionPhase::running && state.history.empty();  // until the first step is done
    const std::string_view phase = compiles ? "compiling kernels" : nameOf(state.phase);
    const std::string text = fmt::format("step {} of {}, {}", grouped(state.last.step), grouped(state.settings.steps), phase);
    ImGui::ProgressBar(static_cast<float>(state.last.step) / static_cast<float>(state.settings.steps), {-1, 0}, text.c_str());
    if (const auto left = training.secondsLeft()) ImGui::Text("%s left", durationText(*left).c_str());
    if (!state.problem.empty()) ImGui::TextWrapped("%s", state.problem.c_str());
}

/// An earlier run, whose curves are drawn beside those of this one.
void drawEarlier(Viewer& viewer) {
    const auto& earlier = viewer.work().training->earlier;
    drawActions(viewer, {{"Compare with a run...", "earlier_run"}, {"Remove", "forget_earlier_run"}});
    if (earlier) ImGui::TextWrapped("compared with: %s", earlier->name.c_str());
}

void drawPresets(Viewer& viewer) {
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * 0.48F);
    if (ImGui::BeginCombo("Preset", "choose")) {
        for (const Preset& preset : presetsFor(viewer.work().training->presetUse()))
            if (ImGui::Selectable(std::string(preset.name).c_str()))
                viewer.attempt([&] { viewer.work().training->takePreset(std::string(preset.name)); });
        ImGui::EndCombo();
    }
    drawActions(viewer, {{"Load preset...", "preset"}, {"Save preset...", "save_preset"}});
}

void drawTrainingPanel(Viewer& viewer) {
    Training& training = *viewer.work().training;
    const LiveState& state = training.state();
    drawProgress(training);
    ImGui::BeginDisabled(state.phase == SessionPhase::loading);
    const char* train = state.phase == SessionPhase::running ? "Pause" : "Start";
    drawActions(viewer, {{train, "train"}, {"Step", "step"}, {"Reset", "reset"}, {"Evaluate", "evaluate"}});
    ImGui::EndDisabled();
    drawHistory(training, kLoss, fmt::format("{:.4f}", state.last.loss));
    drawTerms(state);
    drawHistory(training, kSplats, grouped(state.last.gaussians));
    drawHistory(training, kMilliseconds, fmt::format("{:.2f}", state.millisecondsPerStep));
    drawScores(training);
    if (!training.isPicture()) drawWorstView(viewer);
    drawStages(training);
    if (!training.isPicture()) {
        drawActions(viewer, {{"Remove floaters", "remove_floaters"}});
        drawActions(viewer, {{"Region from box", "region"}, {"Clear region", "clear_region"}});
    }
    drawEarlier(viewer);
    auto share = static_cast<float>(100 * training.pictureShare);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * 0.48F);
    if (slideNumber("Preview GPU budget", share, {1, 100}, "%.0f %%")) training.pictureShare = share / 100;
    drawPresets(viewer);
    const auto locked = [&](const SettingField& f) { return training.hasBegun() && f.about.restart; };
    const auto fields = settingsOf(trainedKind(training.settings).subject, settingFields(training.settings));
    if (drawSettings(fields, locked)) training.apply();
}

bool whileTraining(const Viewer& viewer) { return viewer.work().training != nullptr; }

}  // namespace

extern const Panel kTrainingPanel{
    .title = "Training", .side = Side::right, .open = true, .useful = whileTraining, .draw = drawTrainingPanel};

}  // namespace splat::app
