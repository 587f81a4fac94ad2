#include <array>

#include <imgui.h>

#include "viewer/panels/inside_parts.h"
#include "viewer/panels/panels.h"
#include "viewer/window/clock.h"

namespace splat::app {

namespace {

struct Tab {
    const char* label;
    void (*draw)(Viewer&, const explain::PixelLook&);
    const char* text;
};

/// In the order of Inside::Shown.
constexpr std::array<Tab, Inside::kNames.size()> kTabs{{
    {"Blend", drawInsideBlend,
     "A splat contributes its alpha times the transmittance (line), the light that those in front let through. Where less than 1/10,000 "
     "would be left the pixel stops."},
    {"List", drawInsideList,
     "A splat is written down once for every tile that it touches, nearest first, so the tile's entries lie scattered among those of all "
     "tiles (above). A sort by tile number that never swaps equal ones brings them together, still nearest first (below)."},
    {"Radix sort", drawInsideRadix,
     "Each pass looks at 8 bits of the keys, lowest first; the running sum of the digits' counts says where the first key of a digit goes. "
     "Equal digits keep their order, so the last pass leaves all keys in order. A GPU moves the keys of a pass all at once."},
    {"Bitonic", drawInsideNetwork,
     "Each step compares a key with the one whose index differs by a mask (XOR), and the lesser index gets the lesser key. All pairs of a "
     "step are independent, so that a GPU takes them at once."},
    {"Gradient", drawInsideTree,
     "Each pixel says how the loss changes with a number of a splat: red, it grows; blue, it falls. A tree in groupshared memory adds "
     "them: in each step half of the threads add the value of another, and the last one's sum goes to memory."},
    {"Additions", drawInsideLanes,
     "A splat covers few of the tile's pixels (left), so most lanes of a subgroup have nothing to add, and those that have want the same "
     "word of memory. The methods differ in how much they add up within the group before an atomic addition to memory."},
    {"Draw", drawInsideSearch,
     "Splats are divided or relocated in proportion to a weight: its running sum is a staircase, and a random height hits the step of a "
     "splat as often as the step is high. A binary search finds that step, and each question halves what is left."},
}};

/// Buttons in as many lines as they need, unlike tabs, of which a narrow panel would hide some.
void chooseShown(Inside::Shown& shown) {
    for (size_t i = 0; i < kTabs.size(); ++i) {
        if (i > 0) continueLine(buttonWidth(kTabs[i].label));
        const bool active = shown == static_cast<Inside::Shown>(i);
        if (active) ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
        if (ImGui::Button(kTabs[i].label)) shown = static_cast<Inside::Shown>(i);
        if (active) ImGui::PopStyleColor();
    }
}

void drawPixel(Viewer& viewer) {
    viewer.inside().follow(viewer.work(), viewer.viewport());
    const auto& look = viewer.inside().look();
    if (!look) return ImGui::TextDisabled("Click a pixel to see how it is made.");
    ImGui::TextWrapped("Pixel %u, %u; tile %u, %u with %zu splats", look->tile.pixel.x, look->tile.pixel.y, look->tile.tile().x,
                       look->tile.tile().y, look->tile.splats.size());
    if (look->tile.splats.empty()) return;
    Inside::Shown& shown = viewer.inside().choice.shown;
    chooseShown(shown);
    const Tab& tab = kTabs[static_cast<size_t>(shown)];
    tab.draw(viewer, *look);
    ImGui::Separator();
    ImGui::TextWrapped("%s", tab.text);  // below what moves, which a low panel has room for
}

void drawInsidePanel(Viewer& viewer) {
    const double begin = now();
    drawPixel(viewer);
    viewer.inside().rest(now() - begin);
    if (viewer.inside().isBehind()) viewer.stir();
}

}  // namespace

extern const Panel kInsidePanel{
    .title = "See inside", .side = Side::rightBelow, .open = false, .useful = withAnything, .draw = drawInsidePanel};

}  // namespace splat::app
