#include "widgets.h"

#include <algorithm>
#include <utility>

#include <imgui.h>
#include <imgui_internal.h>

#include <splatwright/core/names.h>

namespace splat::test {

namespace {

Widgets* all = nullptr;
constexpr const char* kUnnamed = ": without a label";  // scroll bars, edges, plots

/// A popup's window is named by a number, and a child's by its parent's name and a number.
std::string titleOf(const ImGuiWindow& window) {
    const std::string title = window.RootWindow ? window.RootWindow->Name : window.Name;
    for (const char* numbered : {"##Popup", "##Menu", "##Combo", "##Tooltip"})
        if (title.starts_with(numbered)) return numbered + 2;
    return title.substr(0, title.find("##"));
}

/// Whether a dialog takes the input of the window.
bool isBehindDialog(const ImGuiWindow& window) {
    const ImGuiWindow* dialog = ImGui::GetTopMostPopupModal();
    return dialog && !ImGui::IsWindowWithinBeginStackOf(window.RootWindow, const_cast<ImGuiWindow*>(dialog));
}

}  // namespace

Widgets::Widgets() { all = this; }
Widgets::~Widgets() { all = nullptr; }

void Widgets::attach() { ImGui::GetCurrentContext()->TestEngineHookItems = true; }

void Widgets::add(uint32_t id, glm::vec2 low, glm::vec2 high) {
    const ImGuiWindow* window = ImGui::GetCurrentContext()->CurrentWindow;
    if (id == 0 || !window || id == window->ID || window->IsFallbackWindow || isBehindDialog(*window)) return;
    const ImRect clip = window->ClipRect;
    low = glm::max(low, glm::vec2(clip.Min.x, clip.Min.y));
    high = glm::min(high, glm::vec2(clip.Max.x, clip.Max.y));
    if (low.x >= high.x || low.y >= high.y) return;
    frame_[id] = {.id = id, .name = titleOf(*window) + kUnnamed, .low = low, .high = high};
}

void Widgets::describe(uint32_t id, const char* label, bool takesText) {
    const auto found = frame_.find(id);
    if (found == frame_.end() || !label) return;
    const std::string& name = found->second.name;
    const size_t unnamed = name.rfind(kUnnamed);
    if (unnamed == std::string::npos) return;
    found->second.name = name.substr(0, unnamed) + "/" + escapedName(label);
    found->second.takesText = takesText;
}

const std::vector<Widget>& Widgets::endFrame() {
    last_.clear();
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    for (auto& [id, widget] : std::exchange(frame_, {})) {
        uint64_t& reached = counts_[widget.name];
        if (g.HoveredId == id || g.ActiveId == id) ++reached;
        last_.push_back(std::move(widget));
    }
    return last_;
}

}  // namespace splat::test

// What Dear ImGui calls where it is compiled with IMGUI_ENABLE_TEST_ENGINE.
void ImGuiTestEngineHook_ItemAdd(ImGuiContext*, ImGuiID id, const ImRect& box, const ImGuiLastItemData*) {
    if (splat::test::all) splat::test::all->add(id, {box.Min.x, box.Min.y}, {box.Max.x, box.Max.y});
}
void ImGuiTestEngineHook_ItemInfo(ImGuiContext*, ImGuiID id, const char* label, ImGuiItemStatusFlags flags) {
    constexpr ImGuiItemStatusFlags kInputable = 1 << 24;  // ImGuiItemStatusFlags_Inputable, which is declared for these copies only
    if (splat::test::all) splat::test::all->describe(id, label, (flags & kInputable) != 0);
}
void ImGuiTestEngineHook_Log(ImGuiContext*, const char*, ...) {}
const char* ImGuiTestEngine_FindItemDebugLabel(ImGuiContext*, ImGuiID) { return nullptr; }
