#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "viewer/panels/panels.h"
#include "viewer/viewer/viewer.h"
#include "viewer/widgets/numbers.h"

namespace splat::app {

namespace {

constexpr int kBestDigits = 4;

/// What to compare with: nothing, the ground truth, each model and each render mode.
void drawChoice(Workspace& work) {
    Compared& second = work.comparing.second;
    const std::string chosen = second.with == CompareWith::nothing ? "Nothing" : work.comparedNames()[1];
    ImGui::SetNextItemWidth(-1);
    if (!ImGui::BeginCombo("##with", chosen.c_str())) return;
    const auto row = [&](const std::string& label, const Compared& other) {
        if (ImGui::Selectable(label.c_str(), second == other)) second = other;
    };
    row("Nothing", {});
    if (work.training) row("Ground truth", {.with = CompareWith::groundTruth});
    ImGui::SeparatorText("Models");
    for (const World::Id id : work.world.ids()) {
        ImGui::PushID(static_cast<int>(id));
        row(work.world[id].name, {.with = CompareWith::model, .model = id});
        ImGui::PopID();
    }
    ImGui::SeparatorText("Render modes");
    for (const RenderMode& mode : renderModes())
        row(std::string(mode.label), {.with = CompareWith::renderMode, .mode = std::string(mode.name)});
    ImGui::EndCombo();
}

void drawLayouts(Comparing& comparing) {
    ImGui::SetNextItemWidth(-1);
    if (!ImGui::BeginCombo("##layout", std::string(labelOf(comparing.layout)).c_str())) return;
    for (int i = 0; i < kCompareLayouts; ++i) {
        const auto layout = static_cast<CompareLayout>(i);
        if (ImGui::Selectable(std::string(labelOf(layout)).c_str(), layout == comparing.layout)) comparing.layout = layout;
    }
    ImGui::EndCombo();
}

/// The number that the layout has, if any.
void drawNumber(Comparing& comparing) {
    const auto slider = [](const char* label, double& number, float low, float high, const char* format) {
        auto value = static_cast<float>(number);
        ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * 0.5F);
        if (slideNumber(label, value, {low, high}, format)) number = static_cast<double>(value);
    };
    if (comparing.layout == CompareLayout::divider) slider("divider", comparing.divider, 0, 1, "%.2f");
    if (comparing.layout == CompareLayout::blink) slider("blink", comparing.blinkSeconds, 0, 3, "%.1f s");
    if (comparing.showsMap() && comparing.layout != CompareLayout::flip) slider("white at", comparing.white, 0.01F, 1, "%.2f");
}

std::string decibels(double psnr) { return std::isinf(psnr) ? "equal" : fmt::format("{:.2f} dB", psnr); }

/// PSNR follows every picture; the others come from another thread, and are grey while they are of earlier pictures.
void drawScores(const CompareView& compare) {
    if (!compare.picture()) return ImGui::TextWrapped("There is no second picture: look through a camera of the dataset (PageDown).");
    const auto& scores = compare.scores();
    const auto text = [&](double PictureScores::*member) {
        return scores ? fmt::format("{:.{}f}", (*scores).*member, kBestDigits) : "...";
    };
    if (!ImGui::BeginTable("scores", 2)) return;
    drawRow("PSNR", compare.psnr() ? decibels(*compare.psnr()) : "...");
    ImGui::BeginDisabled(compare.scoring());
    drawRow("SSIM", text(&PictureScores::ssim));
    drawRow("FLIP", text(&PictureScores::flip));
    ImGui::EndDisabled();
    ImGui::EndTable();
    const glm::uvec2 size = compare.picture()->size;
    ImGui::TextDisabled("of the pictures as shown, %ux%u", size.x, size.y);
}

void drawComparePanel(Viewer& viewer) {
    Workspace& work = viewer.work();
    drawChoice(work);
    if (!work.comparing.isOn()) return ImGui::TextDisabled("Y compares");
    drawLayouts(work.comparing);
    drawNumber(work.comparing);
    drawActions(viewer, {{"Exchange", "exchange_compared"}, {"Stop", "compare"}});
    drawScores(viewer.viewport().compare());
}

}  // namespace

extern const Panel kComparePanel{
    .title = "Compare", .side = Side::rightBelow, .open = false, .useful = withAnything, .draw = drawComparePanel};

}  // namespace splat::app
