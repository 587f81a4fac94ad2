#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>

#include "viewer/panels/panels.h"
#include "viewer/viewer/viewer.h"
#include "viewer/widgets/numbers.h"
#include "viewer/window/style.h"

namespace splat::app {

namespace {

constexpr float kKeySize = 0.4F;  // of a line of text, from a key's centre
constexpr double kAhead = 1.1;    // of the path's seconds that the track shows, so that its end can be dragged on

/// The track of a timeline: seconds from left to right.
struct Track {
    ImVec2 low, size;
    double seconds = 1;  ///< at the right end

    float x(double time) const { return low.x + margin() + static_cast<float>(time / seconds) * (size.x - 2 * margin()); }
    double time(float x) const { return seconds * std::max(x - low.x - margin(), 0.0F) / (size.x - 2 * margin()); }
    float middle() const { return low.y + size.y / 2; }
    static float margin() { return ImGui::GetTextLineHeight(); }
};

/// The power of ten, or 2 or 5 of it, that divides the track into at most ten parts.
double markStep(double seconds) {
    const double ten = std::pow(10, std::floor(std::log10(seconds / 10)));
    for (const double part : {1.0, 2.0, 5.0})
        if (ten * part * 10 >= seconds) return ten * part;
    return 10 * ten;
}

void drawMarks(const Track& track) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 colour = ImGui::GetColorU32(ImGuiCol_TextDisabled);
    list.AddRectFilled(track.low, {track.low.x + track.size.x, track.low.y + track.size.y}, ImGui::GetColorU32(ImGuiCol_FrameBg));
    const double step = markStep(track.seconds);
    for (int i = 0; i * step <= track.seconds; ++i) {
        const float x = track.x(i * step);
        list.AddLine({x, track.low.y}, {x, track.low.y + track.size.y}, ImGui::GetColorU32(ImGuiCol_Border));
        list.AddText({x + points(5), track.low.y}, colour, fmt::format("{:g} s", i * step).c_str());
    }
}

/// A key as a diamond that can be clicked and dragged. Returns where it is dragged to.
std::optional<double> drawKey(Workspace& work, const Track& track, size_t key) {
    const float half = kKeySize * ImGui::GetTextLineHeight(), x = track.x(work.flight.keys()[key].time), y = track.middle();
    ImGui::SetCursorScreenPos({x - half, y - half});
    ImGui::PushID(static_cast<int>(key));
    ImGui::InvisibleButton("key", {2 * half, 2 * half});
    const bool isEdited = work.pathKey == key, isHovered = ImGui::IsItemHovered();
    if (ImGui::IsItemClicked()) work.showKey(key);
    if (isHovered) ImGui::SetTooltip("key %zu at %.2f s; drag to move", key + 1, work.flight.keys()[key].time);
    const bool isDragged = ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left);
    ImGui::PopID();
    const ImU32 colour = ImGui::GetColorU32(isEdited || isHovered ? ImGuiCol_PlotHistogramHovered : ImGuiCol_PlotHistogram);
    ImGui::GetWindowDrawList()->AddQuadFilled({x - half, y}, {x, y - half}, {x + half, y}, {x, y + half}, colour);
    if (isEdited) ImGui::GetWindowDrawList()->AddQuad({x - half, y}, {x, y - half}, {x + half, y}, {x, y + half}, IM_COL32_WHITE, 1.5F);
    return isDragged ? std::optional(track.time(ImGui::GetIO().MousePos.x)) : std::nullopt;
}

/// A click on the track between keys looks from there.
void drawTrack(Viewer& viewer) {
    Workspace& work = viewer.work();
    const float line = ImGui::GetTextLineHeight();
    const Track track{ImGui::GetCursorScreenPos(),
                      {std::max(ImGui::GetContentRegionAvail().x, 4 * line), 3 * line},
                      std::max(kAhead * work.flight.seconds(), 1.0)};
    drawMarks(track);
    ImGui::SetNextItemAllowOverlap();
    ImGui::InvisibleButton("track", track.size);
    if (ImGui::IsItemActive() && work.flight.keys().size() >= 2) work.showPath(track.time(ImGui::GetIO().MousePos.x));
    const float now = track.x(work.pathTime);
    ImGui::GetWindowDrawList()->AddLine({now, track.low.y}, {now, track.low.y + track.size.y}, ImGui::GetColorU32(ImGuiCol_Text));
    std::optional<std::pair<size_t, double>> dragged;
    for (size_t key = 0; key < work.flight.keys().size(); ++key)
        if (const auto time = drawKey(work, track, key)) dragged = {key, *time};
    // A key that is dragged stays between its neighbours: its button is known by its number.
    if (dragged) work.dragKey(dragged->first, dragged->second);
    ImGui::SetCursorScreenPos({track.low.x, track.low.y + track.size.y + ImGui::GetStyle().ItemSpacing.y});
    ImGui::Dummy({0, 0});
}

/// Numbers of the key that is edited.
void drawKeyFields(Workspace& work) {
    if (!work.pathKey || *work.pathKey >= work.flight.keys().size()) return;
    const PathKey key = work.flight.keys()[*work.pathKey];
    auto time = static_cast<float>(key.time), field = static_cast<float>(key.pose.fieldOfView);
    ImGui::PushItemWidth(6 * ImGui::GetTextLineHeight());
    if (dragNumber("seconds of the key", time, 0.02F, {0, CameraPath::kMostSeconds}, "%.2f")) work.dragKey(*work.pathKey, time);
    ImGui::SameLine();
    constexpr float kLeast = Navigator::kLeastFieldOfView, kMost = Navigator::kMostFieldOfView;
    if (dragNumber("its field of view", field, 0.2F, {kLeast, kMost}, "%.1f deg")) {
        Pose pose = key.pose;
        pose.fieldOfView = field;
        work.flight.setPose(*work.pathKey, pose);
    }
    ImGui::PopItemWidth();
}

void drawTimelinePanel(Viewer& viewer) {
    Workspace& work = viewer.work();
    drawActions(viewer, {{"Play", "play"},
                         {"Add key", "add_key"},
                         {"Replace key", "replace_key"},
                         {"Remove key", "remove_key"},
                         {"Clear", "clear_path"},
                         {"Render...", "render_path"}});
    drawTrack(viewer);
    auto seconds = static_cast<float>(work.flight.seconds());
    ImGui::SetNextItemWidth(6 * ImGui::GetTextLineHeight());
    ImGui::BeginDisabled(work.flight.keys().size() < 2);
    if (dragNumber("seconds in all", seconds, 0.05F, {0.1F, 3600}, "%.2f")) work.flight.retime(seconds);
    ImGui::EndDisabled();
    drawKeyFields(work);
}

}  // namespace

extern const Panel kTimelinePanel{
    .title = "Timeline", .side = Side::below, .open = false, .useful = withAnything, .draw = drawTimelinePanel};

}  // namespace splat::app
