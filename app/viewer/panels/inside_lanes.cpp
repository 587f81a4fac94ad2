#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "viewer/panels/inside_parts.h"
#include "viewer/widgets/grouped.h"
#include "viewer/window/style.h"

namespace splat::app {

namespace {

/// Pixels that blend the splat, brighter where it weighs more. Returns how many.
int drawActive(ImVec2 low, float side, std::span<const float> weights) {
    const float most = *std::ranges::max_element(weights);
    std::vector<ImU32> colours;
    for (const float weight : weights) colours.push_back(weight > 0 ? signedColour(weight, most) : ImGui::GetColorU32(ImGuiCol_WindowBg));
    if (const auto thread = drawThreads(low, side, colours))
        ImGui::SetTooltip("thread %u: contribution %.4f", *thread, static_cast<double>(weights[*thread]));
    return static_cast<int>(std::ranges::count_if(weights, [](float weight) { return weight > 0; }));
}

/// Subgroups of all splats by active lanes, those with none left out.
void drawLaneCounts(const Figure& figure, float from, const LaneCounts& lanes) {
    const auto most = static_cast<float>(std::max<uint64_t>(*std::max_element(lanes.pairs.begin() + 1, lanes.pairs.end()), 1));
    const float cell = (1 - from) / static_cast<float>(lanes.pairs.size() - 1);
    for (size_t active = 1; active < lanes.pairs.size(); ++active) {
        const float x = from + cell * static_cast<float>(active - 1), height = static_cast<float>(lanes.pairs[active]) / most;
        figure.fill({x, 1 - 0.95f * height}, {x + 0.85f * cell, 1}, ImGui::GetColorU32(ImGuiCol_PlotHistogram));
    }
    const ImVec2 pointer = figure.pointer();
    if (pointer.x < from || pointer.x >= 1) return;
    const size_t active = 1 + static_cast<size_t>((pointer.x - from) / cell);
    if (active < lanes.pairs.size())
        ImGui::SetTooltip("%zu of %zu lanes active: %s times", active, lanes.pairs.size() - 1, grouped(lanes.pairs[active]).c_str());
}

void describeLanes(const LaneCounts& lanes) {
    if (lanes.pairs.empty()) return ImGui::TextWrapped("This device has no subgroups to add in.");
    const uint64_t all = std::accumulate(lanes.pairs.begin(), lanes.pairs.end(), uint64_t{0});
    ImGui::TextWrapped("Right: pairs of a splat and a subgroup by active lanes, 1 to %zu; %.0f %% have none.", lanes.pairs.size() - 1,
                       100.0 * static_cast<double>(lanes.pairs[0]) / static_cast<double>(std::max<uint64_t>(all, 1)));
}

std::string retriesText(InsideBackward& backward, std::string_view method) {
    const auto& all = backward.retries();
    const auto found = std::ranges::find(all, method, &explain::RetryTrace::method);
    return found == all.end() ? "" : grouped(found->retries);
}

void drawMethods(InsideBackward& backward, const Inside::Choice& choice) {
    constexpr ImGuiTableFlags kFlags =
        ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_ScrollX | ImGuiTableFlags_NoHostExtendX;
    const auto& methods = backward.methods();
    const float height = (ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y) * static_cast<float>(methods.size() + 1) +
                         ImGui::GetStyle().ScrollbarSize;
    if (!ImGui::BeginTable("methods", 4, kFlags, {0, height})) return;
    for (const char* title : {"method", "additions", "sum", "retries"}) ImGui::TableSetupColumn(title);
    ImGui::TableHeadersRow();
    for (const explain::MethodTrace& method : methods) {
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(method.name.data(), method.name.data() + method.name.size());
        if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", std::string(method.help).c_str());
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(method.additions ? grouped(*method.additions).c_str() : "as subtile");
        ImGui::TableNextColumn();
        ImGui::Text("%.6g", static_cast<double>(method.gradients[size_t{choice.place} * explain::kTracedWords + choice.word]));
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(retriesText(backward, method.name).c_str());
    }
    ImGui::EndTable();
}

}  // namespace

void drawInsideLanes(Viewer& viewer, const explain::PixelLook&) {
    const auto& part = viewer.inside().backward(viewer.work(), viewer.viewport());
    if (!part.get()) return ImGui::TextWrapped("%s", part.lacks.c_str());
    InsideBackward& backward = *part.get();
    if (backward.reached() == 0) return ImGui::TextWrapped("No splat is blended in this tile, so there is nothing to add.");
    Inside::Choice& choice = viewer.inside().choice;
    viewer.inside().stepper(Inside::Shown::additions).step = static_cast<int>(choice.place);
    choice.place = static_cast<uint32_t>(drawStepper(viewer, Inside::Shown::additions, static_cast<int>(backward.reached())));
    const Figure figure(9);
    const auto weights = std::span(backward.tile().weights()).subspan(size_t{choice.place} * shared::kTilePixels, shared::kTilePixels);
    if (!backward.lanes().pairs.empty()) drawLaneCounts(figure, (figure.size.y + points(6)) / figure.size.x, backward.lanes());
    const int active = drawActive(figure.low, figure.size.y, weights);
    ImGui::TextWrapped("Splat %u of %u: %d of 256 pixels blend it.", choice.place + 1, backward.reached(), active);
    describeLanes(backward.lanes());
    chooseWord(choice);
    drawMethods(backward, choice);
    ImGui::TextWrapped("Additions and sums are of this tile, repeated compare-and-swaps of the whole picture.");
}

}  // namespace splat::app
