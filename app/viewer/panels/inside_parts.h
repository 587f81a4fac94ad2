#pragma once

#include <algorithm>
#include <vector>

#include <imgui.h>

#include "viewer/viewer/viewer.h"

/// What the tabs of the panel "See inside" share, and the tabs, each in a file of its own.
namespace splat::app {

inline constexpr ImU32 kInsideLine = IM_COL32(255, 146, 43, 255);

ImU32 insideColour(const glm::vec3& colour);
/// Red for numbers above 0, blue for those below; as strong as the number is by the largest one.
ImU32 signedColour(float number, float most);

/// Room for a figure as wide as the panel.
struct Figure {
    explicit Figure(float lines);
    void bar(size_t index, size_t count, float height, ImU32 colour) const;
    /// A line behind a bar, over the whole height, that can be seen however thin the bar is.
    void mark(size_t index, size_t count) const;
    /// A rectangle by parts of the figure, from the upper left.
    void fill(ImVec2 from, ImVec2 to, ImU32 colour) const;
    ImVec2 at(float x, float y) const { return {low.x + x * size.x, low.y + y * size.y}; }
    /// Where the pointer is, in parts of the figure; outside of 0 to 1 if it is elsewhere.
    ImVec2 pointer() const;

    ImDrawList* list;
    ImVec2 low, size;
};

/// A slider over the steps with a button that plays them, all within some seconds. Returns the step.
int drawStepper(Viewer& viewer, Inside::Shown shown, int steps);

/// The tile's 256 threads as a square of this many pixels, and the thread under the pointer.
std::optional<uint32_t> drawThreads(ImVec2 low, float side, const std::vector<ImU32>& colours);

/// Chooses a splat of the tile's list, and a word of its gradient.
void choosePlace(Inside::Choice& choice, uint32_t places);
void chooseWord(Inside::Choice& choice);
const char* nameOfWord(uint32_t word);

void drawInsideList(Viewer& viewer, const explain::PixelLook& look);
void drawInsideRadix(Viewer& viewer, const explain::PixelLook& look);
void drawInsideNetwork(Viewer& viewer, const explain::PixelLook& look);
void drawInsideBlend(Viewer& viewer, const explain::PixelLook& look);
void drawInsideTree(Viewer& viewer, const explain::PixelLook& look);
void drawInsideLanes(Viewer& viewer, const explain::PixelLook& look);
void drawInsideSearch(Viewer& viewer, const explain::PixelLook& look);

}  // namespace splat::app
