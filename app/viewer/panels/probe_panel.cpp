#include <algorithm>
#include <utility>

#include <imgui.h>

#include "viewer/panels/panels.h"
#include "viewer/viewer/viewer.h"
#include "viewer/widgets/grouped.h"

namespace splat::app {

namespace {

void drawProbePanel(Viewer& viewer) {
    const auto& probe = viewer.viewport().probe();
    if (!probe) return ImGui::TextDisabled("Click a pixel to list them.");
    ImGui::TextWrapped("%s splats, depth %.4g, transmittance %.3f", grouped(probe->listed).c_str(), static_cast<double>(probe->medianDepth),
                       static_cast<double>(probe->transmittance));
    constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp;
    const float height = std::max(6 * ImGui::GetTextLineHeightWithSpacing(), ImGui::GetContentRegionAvail().y);
    if (!ImGui::BeginTable("splats", 4, kFlags, {0, height})) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    // As wide as their contents, so that no title is cut in a narrow panel.
    for (const auto& [column, part] : {std::pair("splat", 1.1F), {"depth", 0.9F}, {"alpha", 0.8F}, {"contribution", 1.6F}})
        ImGui::TableSetupColumn(column, ImGuiTableColumnFlags_WidthStretch, part);
    ImGui::TableHeadersRow();
    const World& world = viewer.work().world;
    for (const ProbeHit& hit : probe->hits) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(grouped(hit.index).c_str());
        if (ImGui::IsItemHovered() && world.has(hit.model)) ImGui::SetTooltip("of %s", world[hit.model].name.c_str());
        for (const float value : {hit.depth, hit.alpha, hit.contribution}) {
            ImGui::TableNextColumn();
            ImGui::Text("%.3f", static_cast<double>(value));
        }
    }
    ImGui::EndTable();
}

}  // namespace

extern const Panel kProbePanel{
    .title = "Splats at a pixel", .side = Side::rightBelow, .open = true, .useful = withAnything, .draw = drawProbePanel};

}  // namespace splat::app
