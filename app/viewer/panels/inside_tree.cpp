#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "viewer/panels/inside_parts.h"
#include "viewer/widgets/grouped.h"
#include "viewer/window/style.h"

namespace splat::app {

namespace {

using explain::TreeTrace;

constexpr float kLimit = 10;  // of the clamp

/// Values of a word at a level, by thread.
std::span<const float> valuesOf(const TreeTrace& tree, size_t level, uint32_t word) {
    const size_t threads = shared::kTilePixels >> level;
    return std::span(tree.levels[level]).subspan(word * threads, threads);
}

float largestOf(std::span<const float> values) {
    float most = 0;
    for (const float value : values) most = std::max(most, std::abs(value));
    return most;
}

/// Threads with what they have on a level; those that wait are dark.
void drawLevel(ImVec2 low, float side, std::span<const float> values) {
    std::vector<ImU32> colours(shared::kTilePixels, ImGui::GetColorU32(ImGuiCol_WindowBg));
    const float most = largestOf(values);
    std::ranges::transform(values, colours.begin(), [&](float value) { return signedColour(value, most); });
    const auto thread = drawThreads(low, side, colours);
    if (!thread) return;
    *thread < values.size() ? ImGui::SetTooltip("thread %u: %.9g", *thread, static_cast<double>(values[*thread]))
                            : ImGui::SetTooltip("thread %u waits", *thread);
}

/// A row per level, whose cells become wider as fewer threads work.
void drawLevels(const Figure& figure, float from, const TreeTrace& tree, uint32_t word, size_t current) {
    const float row = 1 / static_cast<float>(tree.levels.size());
    for (size_t level = 0; level < tree.levels.size(); ++level) {
        const auto values = valuesOf(tree, level, word);
        const float most = largestOf(values), cell = (1 - from) / static_cast<float>(values.size()), top = row * static_cast<float>(level);
        for (size_t i = 0; i < values.size() && level <= current; ++i) {
            const float x = from + cell * static_cast<float>(i);
            figure.fill({x, top + 0.1f * row}, {x + cell * 0.9f, top + 0.9f * row}, signedColour(values[i], most));
        }
        if (level == current) figure.list->AddRect(figure.at(from, top), figure.at(1, top + row), kInsideLine, 0.0f, 2.0f);
    }
}

void describeLevel(size_t level, std::span<const float> values) {
    if (level == 0) {
        const auto busy = std::ranges::count_if(values, [](float value) { return value != 0; });
        return ImGui::TextWrapped("%d of the tile's 256 pixels have a gradient.", static_cast<int>(busy));
    }
    ImGui::TextWrapped("Halving %zu of 8: %zu thread%s the value %zu further on.", level, values.size(),
                       values.size() > 1 ? "s add" : " adds", values.size());
}

void describeClamp(const InsideBackward& backward, const TreeTrace& tree, uint32_t word) {
    const auto own = std::span(tree.unclamped).subspan(size_t{word} * shared::kTilePixels, shared::kTilePixels);
    const auto beyond = std::ranges::count_if(own, [](float value) { return std::abs(value) > kLimit; });
    ImGui::TextWrapped(
        "The clamp of pixels' values to \xC2\xB1"
        "10 (clamp_gradients) is %s %d of them.",
        backward.tile().clamps() ? "on, and changed" : "off; it would change", static_cast<int>(beyond));
}

void describeSums(InsideBackward& backward, const TreeTrace& tree, const Inside::Choice& choice) {
    const size_t index = size_t{tree.place} * explain::kTracedWords + choice.word;
    ImGui::TextWrapped("This tile's sum: %.9g", static_cast<double>(valuesOf(tree, tree.levels.size() - 1, choice.word)[0]));
    ImGui::TextWrapped("All tiles: %.9g (tree-cas)", static_cast<double>(backward.treeGradients()[index]));
    ImGui::TextWrapped("The update uses %.9g (%s)", static_cast<double>(backward.gradients()[index]), nameOf(backward.method()).c_str());
    if (!backward.isTrainings())
        ImGui::TextWrapped("Training adds by a method that starts from saved states of pixels, which this picture does not keep.");
    const auto& retries = backward.retries();
    ImGui::TextWrapped("Repeated compare-and-swaps of this splat: %s by cas, %s by tree-cas.",
                       grouped(retries[0].bySplat[tree.place]).c_str(), grouped(retries[1].bySplat[tree.place]).c_str());
}

}  // namespace

void drawInsideTree(Viewer& viewer, const explain::PixelLook&) {
    const auto& part = viewer.inside().backward(viewer.work(), viewer.viewport());
    if (!part.get()) return ImGui::TextWrapped("%s", part.lacks.c_str());
    InsideBackward& backward = *part.get();
    if (backward.reached() == 0) return ImGui::TextWrapped("No splat is blended in this tile, so none has a gradient.");
    Inside::Choice& choice = viewer.inside().choice;
    choosePlace(choice, backward.reached());
    chooseWord(choice);
    const TreeTrace& tree = backward.tree(choice.place);
    const auto level = static_cast<size_t>(drawStepper(viewer, Inside::Shown::gradient, static_cast<int>(tree.levels.size())));
    const Figure figure(9);
    drawLevel(figure.low, figure.size.y, valuesOf(tree, level, choice.word));
    drawLevels(figure, (figure.size.y + points(6)) / figure.size.x, tree, choice.word, level);
    describeLevel(level, valuesOf(tree, level, choice.word));
    describeSums(backward, tree, choice);
    describeClamp(backward, tree, choice.word);
}

}  // namespace splat::app
