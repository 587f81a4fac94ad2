#include "viewer/window/style.h"

#include <imgui.h>
#include <implot.h>
#include <glm/glm.hpp>

namespace splat::app {

namespace {

float pixelsAPoint = 1;
constexpr glm::vec4 kPanel{0.105F, 0.110F, 0.125F, 1.0F};  // opaque: words behind a dialog would show through
constexpr glm::vec4 kField{0.175F, 0.185F, 0.210F, 1.0F};
constexpr glm::vec4 kFieldHovered{0.230F, 0.245F, 0.280F, 1.0F};
constexpr glm::vec4 kAccent{0.960F, 0.580F, 0.200F, 1.0F};  // amber: unlike sky or leaves in a picture
constexpr glm::vec4 kAccentSoft{0.960F, 0.580F, 0.200F, 0.35F};
constexpr glm::vec4 kText{0.920F, 0.925F, 0.940F, 1.0F};
constexpr glm::vec4 kFaint{0.560F, 0.580F, 0.630F, 1.0F};

struct StyleColour {
    ImGuiCol_ which;
    glm::vec4 colour;
};
constexpr StyleColour kColours[] = {
    {ImGuiCol_Text, kText},
    {ImGuiCol_TextDisabled, kFaint},
    {ImGuiCol_WindowBg, kPanel},
    {ImGuiCol_PopupBg, kPanel},
    {ImGuiCol_MenuBarBg, kPanel},
    {ImGuiCol_FrameBg, kField},
    {ImGuiCol_FrameBgHovered, kFieldHovered},
    {ImGuiCol_FrameBgActive, kFieldHovered},
    {ImGuiCol_TitleBg, kPanel},
    {ImGuiCol_TitleBgActive, kPanel},
    {ImGuiCol_CheckMark, kAccent},
    {ImGuiCol_SliderGrab, kAccentSoft},  // the number is written over it
    {ImGuiCol_SliderGrabActive, kAccent},
    {ImGuiCol_Button, kField},
    {ImGuiCol_ButtonHovered, kFieldHovered},
    {ImGuiCol_ButtonActive, kAccentSoft},
    {ImGuiCol_Header, kField},
    {ImGuiCol_HeaderHovered, kFieldHovered},
    {ImGuiCol_HeaderActive, kAccentSoft},
    {ImGuiCol_Tab, kField},
    {ImGuiCol_TabHovered, kFieldHovered},
    {ImGuiCol_TabSelected, kAccentSoft},
    {ImGuiCol_TabSelectedOverline, kAccent},
    {ImGuiCol_TabDimmed, kPanel},
    {ImGuiCol_TabDimmedSelected, kField},
    {ImGuiCol_TabDimmedSelectedOverline, kFaint},
    {ImGuiCol_DockingPreview, kAccentSoft},
    {ImGuiCol_TitleBgCollapsed, kPanel},
    {ImGuiCol_ResizeGrip, kField},
    {ImGuiCol_ResizeGripHovered, kAccentSoft},
    {ImGuiCol_ResizeGripActive, kAccent},
    {ImGuiCol_SeparatorHovered, kAccentSoft},
    {ImGuiCol_SeparatorActive, kAccent},
    {ImGuiCol_PlotLines, kAccent},
    {ImGuiCol_PlotHistogram, kAccentSoft},
    {ImGuiCol_TextSelectedBg, kAccentSoft},
    {ImGuiCol_NavCursor, kAccent},
    {ImGuiCol_Separator, kField},
    {ImGuiCol_Border, kField},
};

/// Small margins, for plots in panels; Dear ImGui's colours.
void stylePlots() {
    ImPlotStyle& style = ImPlot::GetStyle();
    style = ImPlotStyle();
    style.PlotPadding = style.LabelPadding = {points(4), points(3)};
    style.MajorTickLen = {points(5), points(5)};
    style.MinorTickLen = {points(3), points(3)};
    style.PlotMinSize = {points(60), points(40)};
    style.FitPadding = {0, 0.05F};
}

}  // namespace

void applyStyle(float scale) {
    ImGuiStyle& style = ImGui::GetStyle();
    style = ImGuiStyle();
    ImGui::StyleColorsDark();
    for (const StyleColour& row : kColours) style.Colors[row.which] = ImVec4(row.colour.r, row.colour.g, row.colour.b, row.colour.a);
    style.WindowRounding = 0;
    style.FrameRounding = 3;
    style.GrabRounding = 3;
    style.WindowBorderSize = 1;  // of panels that float over the picture
    style.WindowMenuButtonPosition = ImGuiDir_None;
    style.WindowPadding = {10, 8};
    style.FramePadding = {6, 3};
    style.ItemSpacing = {8, 5};
    style.ScrollbarSize = 12;
    style.ScaleAllSizes(scale);
    style.FontScaleDpi = scale;
    pixelsAPoint = scale;
    stylePlots();
}

float points(float number) { return number * pixelsAPoint; }

}  // namespace splat::app
