#include "viewer/scene/compared_pictures.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <imgui.h>

#include "viewer/widgets/legend.h"
#include "viewer/window/style.h"
#include "viewer/window/ui.h"

namespace splat::app {

namespace {

constexpr ImU32 kLine = IM_COL32(255, 255, 255, 230), kEdge = IM_COL32(0, 0, 0, 150);
constexpr RenderMode kDifferenceMap{.name = "difference", .label = "Difference"};
constexpr RenderMode kFlipMap{.name = "flip", .label = "FLIP"};

struct Box {
    ImVec2 low, high;
};

ImDrawList& list() { return *ImGui::GetBackgroundDrawList(ImGui::GetMainViewport()); }

void drawImage(const gpu::Texture& texture, const Box& at) { list().AddImage(textureName(texture), at.low, at.high); }

/// At the top, in a part of the picture's width.
void drawName(const std::string& name, float left, float right, float top) {
    const float room = right - left - points(24);
    if (name.empty() || room < points(20)) return;
    drawLabel(name, {left + points(8), top + points(8)}, room);
}

Box shifted(const Box& box, glm::ivec2 shift) {
    const glm::vec2 by(shift);
    return {{box.low.x + by.x, box.low.y + by.y}, {box.high.x + by.x, box.high.y + by.y}};
}

void drawNamed(const gpu::Texture& texture, const std::string& name, const Box& at) {
    drawImage(texture, at);
    drawName(name, at.low.x, at.high.x, at.low.y);
}

/// The map of differences with its legend; `waiting` while there is none.
void drawMap(const ShownPictures& p, const Comparing& comparing, const gpu::Texture* waiting, const Box& at) {
    if (const gpu::Texture* shown = p.map ? p.map : waiting) drawImage(*shown, at);
    const RenderMode& mode = comparing.layout == CompareLayout::flip ? kFlipMap : kDifferenceMap;
    drawLegend({.mode = mode, .colourMap = "inferno", .range = {0, comparing.mapEnd()}, .isLocked = false}, glm::ivec2(at.low.x, at.low.y),
               glm::ivec2(at.high.x, at.high.y));
}

void drawDivided(const gpu::Texture& left, const gpu::Texture& right, const Box& at, float x) {
    drawImage(left, at);
    list().PushClipRect({x, at.low.y}, at.high, true);
    drawImage(right, at);
    list().PopClipRect();
    list().AddLine({x, at.low.y}, {x, at.high.y}, kEdge, points(3));
    list().AddLine({x, at.low.y}, {x, at.high.y}, kLine, points(1));
    const ImVec2 middle{x, (at.low.y + at.high.y) / 2};
    list().AddCircleFilled(middle, points(6), kLine);
    list().AddCircle(middle, points(6), kEdge, 0, points(1));
}

}  // namespace

void drawPictures(const ShownPictures& p, const Comparing& comparing) {
    const Box at{{static_cast<float>(p.low.x), static_cast<float>(p.low.y)}, {static_cast<float>(p.high.x), static_cast<float>(p.high.y)}};
    if (!p.second) return drawImage(p.first, at);
    const gpu::Texture* left = &p.first;
    const gpu::Texture* right = p.second;
    auto names = p.names;
    if (comparing.exchanged) {
        std::swap(left, right);
        std::swap(names[0], names[1]);
    }
    const float x = std::round(at.low.x + static_cast<float>(comparing.divider) * (at.high.x - at.low.x));
    const Box second = shifted(at, p.shifts[1]);
    switch (comparing.layout) {
        case CompareLayout::divider:
            drawDivided(*left, *right, at, x);
            drawName(names[0], at.low.x, x, at.low.y);
            return drawName(names[1], x, at.high.x, at.low.y);
        case CompareLayout::blink: return drawNamed(*left, names[0], at);
        case CompareLayout::sideBySide: drawNamed(*left, names[0], at); return drawNamed(*right, names[1], second);
        case CompareLayout::three: {
            drawNamed(*left, names[0], at);
            drawNamed(*right, names[1], second);
            const Box third = shifted(at, p.shifts[2]);
            drawMap(p, comparing, nullptr, third);
            return drawName("Difference", third.low.x, third.high.x, third.low.y);
        }
        case CompareLayout::difference:
        case CompareLayout::flip: return drawMap(p, comparing, &p.first, at);
    }
}

}  // namespace splat::app
