#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include <imgui_stdlib.h>

#include "viewer/panels/panels.h"
#include "viewer/viewer/viewer.h"
#include "viewer/widgets/numbers.h"
#include "viewer/window/ui.h"

namespace splat::app {

namespace {

constexpr float kThumbnailWidth = 5;  // letters' heights
constexpr float kThumbnailHeight = 0.75F * kThumbnailWidth;

void drawSwitches(Workspace& work) {
    ImGui::Checkbox("cameras", &work.showsCameras);
    ImGui::SameLine();
    ImGui::Checkbox("with images", &work.showsThumbnails);
    bool beside = work.showsGroundTruth();
    if (ImGui::Checkbox("ground truth beside render", &beside)) work.toggleGroundTruth();
    if (!work.borrowedView) return;
    auto split = static_cast<float>(work.picture.split);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * 0.48F);
    if (slideNumber("Compare slider", split, {0, 1}, "%.2f")) work.picture.split = static_cast<double>(split);
}

void drawSearch(Viewer& viewer, ViewList& list) {
    ImGui::SetNextItemWidth(-1);
    ImGui::InputTextWithHint("##search", "search by name", &list.filter);
    drawActions(viewer, {{"Evaluate", "evaluate"}, {"Training views too", "evaluate_views"}});
    ImGui::Checkbox("worst first", &list.worstFirst);
}

/// Thumbnail, name and score; a click looks through the view.
void drawRow(Workspace& work, const ListedView& row) {
    Training& training = *work.training;
    const LiveView& view = training.views()[row.view];
    const float width = kThumbnailWidth * ImGui::GetFontSize(), height = kThumbnailHeight * ImGui::GetFontSize();
    ImGui::PushID(static_cast<int>(row.view));
    if (ImGui::Selectable("##view", work.borrowedView == row.view, 0, {0, height})) work.borrow(row.view);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 low = ImGui::GetItemRectMin();
    list.AddImage(textureName(training.thumbnail(row.view)), low, {low.x + width, low.y + height});
    const std::string score = row.psnr ? fmt::format("\n{:.2f} dB", *row.psnr) : "";
    list.AddText({low.x + width + ImGui::GetStyle().ItemSpacing.x, low.y}, ImGui::GetColorU32(ImGuiCol_Text),
                 fmt::format("{}{}{}", view.name, view.isTest ? "  (test)" : "", score).c_str());
    ImGui::PopID();
}

void drawViewsPanel(Viewer& viewer) {
    Workspace& work = viewer.work();
    Training& training = *work.training;
    drawSwitches(work);
    drawSearch(viewer, training.viewList);
    const std::vector<ListedView> rows = listed(training.viewList, training.views(), training.state());
    ImGui::BeginChild("views", {0, std::max(6 * ImGui::GetTextLineHeightWithSpacing(), ImGui::GetContentRegionAvail().y)});
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows.size()), kThumbnailHeight * ImGui::GetFontSize() + ImGui::GetStyle().ItemSpacing.y);
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) drawRow(work, rows[static_cast<size_t>(i)]);
    ImGui::EndChild();
}

}  // namespace

extern const Panel kViewsPanel{
    .title = "Training images",
    .side = Side::right,
    .open = true,
    .useful = [](const Viewer& viewer) { return viewer.work().training && !viewer.work().training->isPicture(); },
    .draw = drawViewsPanel};

}  // namespace splat::app
