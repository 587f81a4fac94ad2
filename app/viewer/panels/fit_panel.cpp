#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "viewer/panels/panels.h"
#include "viewer/viewer/viewer.h"
#include "viewer/widgets/grouped.h"
#include "viewer/widgets/plot.h"

namespace splat::app {

namespace {

constexpr float kPlotLines = 8;  // lines of text, height of a plot

/// A way to look at a fit and its target.
struct FitView {
    const char* label;
    CompareWith with;
    CompareLayout layout;
    const char* mode;
};
constexpr FitView kFitViews[] = {{"Fit", CompareWith::nothing, CompareLayout::divider, "colour"},
                                 {"Target beside", CompareWith::groundTruth, CompareLayout::sideBySide, "colour"},
                                 {"Divider", CompareWith::groundTruth, CompareLayout::divider, "colour"},
                                 {"Blink", CompareWith::groundTruth, CompareLayout::blink, "colour"},
                                 {"With difference", CompareWith::groundTruth, CompareLayout::three, "colour"},
                                 {"Error map", CompareWith::nothing, CompareLayout::divider, "error"}};

bool isShown(const Workspace& work, const FitView& view) {
    const Comparing& c = work.comparing;
    const bool isLayout = view.with == CompareWith::nothing || c.layout == view.layout;
    return work.borrowedView && c.second.with == view.with && isLayout && work.picture.picture == view.mode;
}

/// The target is there from the picture's own camera only.
void show(Workspace& work, const FitView& view) {
    if (!work.borrowedView && !work.training->views().empty()) work.borrow(0);
    work.comparing.second.with = view.with;
    if (view.with != CompareWith::nothing) work.comparing.layout = view.layout;
    work.showMode(view.mode);
}

void drawViews(Workspace& work) {
    const float mark = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x;
    for (const FitView& view : kFitViews) {
        if (&view != &kFitViews[0]) continueLine(mark + ImGui::CalcTextSize(view.label).x);
        if (ImGui::RadioButton(view.label, isShown(work, view))) show(work, view);
    }
}

/// The newest point, as numbers.
void drawNumbers(const Training& training, const FitPoint& point) {
    if (!ImGui::BeginTable("numbers", 2, ImGuiTableFlags_SizingFixedFit)) return;
    drawRow("Gaussians", grouped(point.blobs));
    drawRow("File", fmt::format("{} bytes", grouped(point.bytes)));
    drawRow("Raw", fmt::format("{} bytes", grouped(point.rawBytes)));
    drawRow("Rate", fmt::format("{:.3f} bits per pixel", point.bitsPerPixel));
    drawRow("PSNR", fmt::format("{:.2f} dB", point.psnr));
    drawRow("of the file", fmt::format("{:.2f} dB", point.filePsnr));
    const auto& evaluations = training.state().evaluations;
    if (!evaluations.empty() && evaluations.back().step == point.step) drawRow("SSIM", fmt::format("{:.4f}", evaluations.back().ssim));
    drawRow("ms per step", fmt::format("{:.2f}", training.state().millisecondsPerStep));
    ImGui::EndTable();
    ImGui::TextDisabled("at step %s", grouped(point.step).c_str());
}

void drawCurves(std::span<const FitPoint> points) {
    std::vector<uint32_t> steps;
    std::vector<float> psnr, file, rate;
    for (const FitPoint& point : points) {
        steps.push_back(point.step);
        psnr.push_back(static_cast<float>(point.psnr));
        file.push_back(static_cast<float>(point.filePsnr));
        rate.push_back(static_cast<float>(point.bitsPerPixel));
    }
    const std::array scores{Curve{.name = "fit", .steps = steps, .values = psnr}, Curve{.name = "file", .steps = steps, .values = file}};
    ImGui::TextUnformatted("PSNR");
    drawPlot("PSNR of the fit", "dB", scores, kPlotLines);
    const std::array rates{Curve{.name = "file", .steps = steps, .values = rate}};
    ImGui::TextUnformatted("bits per pixel");
    drawPlot("rate", "", rates, kPlotLines);
}

void drawFitPanel(Viewer& viewer) {
    Workspace& work = viewer.work();
    drawViews(work);
    const auto points = work.fitRate->points();
    if (points.empty()) return ImGui::TextDisabled("Start (T) fits the picture");
    drawNumbers(*work.training, points.back());
    drawCurves(points);
}

}  // namespace

extern const Panel kFitPanel{.title = "Fit",
                             .side = Side::rightBelow,
                             .open = true,
                             .useful = [](const Viewer& viewer) { return viewer.work().fitRate != nullptr; },
                             .draw = drawFitPanel};

}  // namespace splat::app
