#include <algorithm>

#include "viewer/panels/inside_parts.h"
#include "viewer/widgets/grouped.h"
#include "viewer/widgets/legend.h"

namespace splat::app {

namespace {

/// Entries of all tiles above, those of the tile below, and lines between the places of those that have moved.
void drawMoves(const explain::TileFrame& frame, size_t moved) {
    constexpr float kTop = 0.22f, kBottom = 0.78f;
    const Figure figure(8);
    const auto& emitted = frame.emitted();
    const float all = static_cast<float>(std::max(frame.instances(), 1u)), own = static_cast<float>(emitted.size());
    for (size_t i = 0; i < emitted.size(); ++i) {
        const float above = static_cast<float>(emitted[i].place) / all, below = static_cast<float>(i) / own;
        const double depth = own > 1 ? static_cast<double>(below) * static_cast<double>(own) / static_cast<double>(own - 1) : 0;
        const ImU32 colour = colourAt(1.0 - std::min(depth, 1.0), "viridis");
        const bool isLast = i + 1 == moved;
        figure.fill({above, 0}, {above + 1 / all, kTop}, colour);
        if (i >= moved) continue;
        figure.fill({below, kBottom}, {below + 1 / own, 1}, colour);
        figure.list->AddLine(figure.at(above, kTop), figure.at(below + 0.5f / own, kBottom),
                             isLast ? kInsideLine : ImGui::GetColorU32(ImGuiCol_TextDisabled, own > 60 ? 0.25f : 0.6f),
                             isLast ? 2.0f : 1.0f);
    }
}

}  // namespace

void drawInsideList(Viewer& viewer, const explain::PixelLook&) {
    const auto& part = viewer.inside().frame(viewer.work(), viewer.viewport());
    if (!part.get()) return ImGui::TextWrapped("%s", part.lacks.c_str());
    const explain::TileFrame& frame = *part.get();
    const auto& emitted = frame.emitted();
    const auto moved = static_cast<size_t>(drawStepper(viewer, Inside::Shown::list, static_cast<int>(emitted.size()) + 1));
    drawMoves(frame, moved);
    if (moved == 0) return ImGui::TextWrapped("%zu of %s entries are the tile's.", emitted.size(), grouped(frame.instances()).c_str());
    const shared::EmittedInstance& entry = emitted[moved - 1];
    ImGui::TextWrapped("Splat %zu of %zu, no. %s: entry %s before, %s after.", moved, emitted.size(), grouped(entry.gaussian).c_str(),
                       grouped(entry.place).c_str(), grouped(frame.tile().begin + moved - 1).c_str());
}

}  // namespace splat::app
