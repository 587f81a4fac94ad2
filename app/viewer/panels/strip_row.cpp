#include "viewer/panels/strip_row.h"

#include <fmt/format.h>
#include <imgui.h>

#include "viewer/scene/view_strip.h"
#include "viewer/viewer/viewer.h"
#include "viewer/widgets/grouped.h"
#include "viewer/window/ui.h"

namespace splat::app {

namespace {

constexpr float kPictureLines = 5;  // of text, that a picture is high

/// A picture with a line below; returns whether it was clicked.
bool drawPicture(const gpu::Texture& texture, const std::string& below) {
    const float height = kPictureLines * ImGui::GetTextLineHeight();
    const float width = height * static_cast<float>(texture.size.x) / static_cast<float>(texture.size.y);
    ImGui::BeginGroup();
    ImGui::Image(textureName(texture), {width, height});
    ImGui::TextUnformatted(below.c_str());
    ImGui::EndGroup();
    return ImGui::IsItemClicked();
}

}  // namespace

void drawWorstView(Viewer& viewer) {
    Workspace& work = viewer.work();
    const ViewStrip::Row* row = work.strip ? work.strip->worst() : nullptr;
    if (!row || row->view >= work.training->views().size()) return;
    ImGui::TextWrapped("Worst view: %s, %.2f dB", work.training->views()[row->view].name.c_str(), row->pictures.back().psnr);
    const ImGuiStyle& style = ImGui::GetStyle();
    const float height = (kPictureLines + 1) * ImGui::GetTextLineHeight() + 2 * style.ItemSpacing.y + style.ScrollbarSize;
    bool clicked = false;
    if (ImGui::BeginChild("worst view", {0, height}, 0, ImGuiWindowFlags_HorizontalScrollbar)) {
        clicked = drawPicture(work.training->thumbnail(row->view), "image");
        for (auto picture = row->pictures.rbegin(); picture != row->pictures.rend(); ++picture) {
            ImGui::SameLine();
            clicked |= drawPicture(picture->texture, grouped(picture->step));
            if (ImGui::IsItemHovered()) ImGui::SetTooltip("step %s: %.2f dB", grouped(picture->step).c_str(), picture->psnr);
        }
    }
    ImGui::EndChild();
    if (clicked) work.borrow(row->view);
}

}  // namespace splat::app
