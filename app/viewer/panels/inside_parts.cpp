#include "viewer/panels/inside_parts.h"

#include <cmath>

#include <fmt/format.h>

#include "viewer/window/style.h"

namespace splat::app {

namespace {

constexpr double kSecondsPerStep = 0.4, kMostSeconds = 12;  // of all steps
constexpr const char* kWordNames[explain::kTracedWords] = {"mean x",  "mean y", "conic xx", "conic xy", "conic yy",
                                                           "opacity", "red",    "green",    "blue"};

}  // namespace

ImU32 insideColour(const glm::vec3& colour) {
    const glm::vec3 c = glm::clamp(colour, 0.0f, 1.0f);
    return ImGui::GetColorU32({c.x, c.y, c.z, 1});
}

ImU32 signedColour(float number, float most) {
    const float part = most > 0 ? std::sqrt(std::min(std::abs(number) / most, 1.0f)) : 0;
    const ImVec4 none = ImGui::GetStyleColorVec4(ImGuiCol_FrameBgHovered),
                 full = number > 0 ? ImVec4(0.94f, 0.31f, 0.24f, 1) : ImVec4(0.25f, 0.55f, 0.97f, 1);
    return ImGui::GetColorU32({std::lerp(none.x, full.x, part), std::lerp(none.y, full.y, part), std::lerp(none.z, full.z, part), 1});
}

Figure::Figure(float lines)
    : list(ImGui::GetWindowDrawList()),
      low(ImGui::GetCursorScreenPos()),
      size(std::max(ImGui::GetContentRegionAvail().x, 1.0f), lines * ImGui::GetTextLineHeight()) {
    ImGui::Dummy(size);
    list->AddRectFilled(low, {low.x + size.x, low.y + size.y}, ImGui::GetColorU32(ImGuiCol_FrameBg));
}

void Figure::bar(size_t index, size_t count, float height, ImU32 colour) const {
    const float cell = size.x / static_cast<float>(count), x = low.x + cell * static_cast<float>(index), bottom = low.y + size.y;
    list->AddRectFilled({x, bottom - height * size.y}, {x + std::max(cell - (cell > 3 ? 1.0f : 0.0f), 1.0f), bottom}, colour);
}

void Figure::mark(size_t index, size_t count) const {
    const float x = low.x + size.x * (static_cast<float>(index) + 0.5f) / static_cast<float>(count);
    list->AddLine({x, low.y}, {x, low.y + size.y}, (kInsideLine & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 128), points(3));
}

void Figure::fill(ImVec2 from, ImVec2 to, ImU32 colour) const {
    const ImVec2 upper = at(from.x, from.y), lower = at(to.x, to.y);
    list->AddRectFilled(upper, {std::max(lower.x, upper.x + 1), lower.y}, colour);
}

ImVec2 Figure::pointer() const {
    if (!ImGui::IsItemHovered()) return {-1, -1};
    const ImVec2 at = ImGui::GetIO().MousePos;
    return {(at.x - low.x) / size.x, (at.y - low.y) / size.y};
}

int drawStepper(Viewer& viewer, Inside::Shown shown, int steps) {
    Inside::Stepper& stepper = viewer.inside().stepper(shown);
    const double now = ImGui::GetTime(), pause = std::min(kSecondsPerStep, kMostSeconds / std::max(steps, 1));
    stepper.step = std::clamp(stepper.step, 0, std::max(steps - 1, 0));
    if (stepper.playing && now >= stepper.next) {
        stepper.next = now + pause;
        stepper.playing = ++stepper.step + 1 < steps;
    }
    if (ImGui::Button(stepper.playing ? "Pause" : "Play")) {
        stepper.playing = !stepper.playing && steps > 1;
        if (stepper.step + 1 >= steps) stepper.step = 0;
        stepper.next = now + pause;
    }
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1);
    if (ImGui::SliderInt("##step", &stepper.step, 0, std::max(steps - 1, 0), "step %d", ImGuiSliderFlags_AlwaysClamp))
        stepper.playing = false;
    if (stepper.playing) viewer.stir();
    return std::clamp(stepper.step, 0, std::max(steps - 1, 0));
}

std::optional<uint32_t> drawThreads(ImVec2 low, float side, const std::vector<ImU32>& colours) {
    const float cell = side / kTileSize;
    for (uint32_t thread = 0; thread < colours.size(); ++thread) {
        const uint32_t row = thread / kTileSize, column = thread % kTileSize;
        const ImVec2 at{low.x + cell * static_cast<float>(column), low.y + cell * static_cast<float>(row)};
        ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + std::max(cell - 1, 1.0f), at.y + std::max(cell - 1, 1.0f)}, colours[thread]);
    }
    const ImVec2 pointer = ImGui::GetIO().MousePos;
    if (!ImGui::IsMouseHoveringRect(low, {low.x + side, low.y + side})) return std::nullopt;
    const auto thread = static_cast<uint32_t>((pointer.y - low.y) / cell) * kTileSize + static_cast<uint32_t>((pointer.x - low.x) / cell);
    return thread < colours.size() ? std::optional(thread) : std::nullopt;
}

void choosePlace(Inside::Choice& choice, uint32_t places) {
    int place = static_cast<int>(std::min(choice.place, places - 1)) + 1;
    ImGui::SetNextItemWidth(-1);
    ImGui::SliderInt("##place", &place, 1, static_cast<int>(places), fmt::format("splat %d of {}", places).c_str(),
                     ImGuiSliderFlags_AlwaysClamp);
    choice.place = static_cast<uint32_t>(place) - 1;
}

void chooseWord(Inside::Choice& choice) {
    ImGui::SetNextItemWidth(-1);
    if (!ImGui::BeginCombo("##word", fmt::format("gradient by {}", kWordNames[choice.word]).c_str())) return;
    for (uint32_t word = 0; word < explain::kTracedWords; ++word)
        if (ImGui::Selectable(kWordNames[word], word == choice.word)) choice.word = word;
    ImGui::EndCombo();
}

const char* nameOfWord(uint32_t word) { return kWordNames[word]; }

}  // namespace splat::app
