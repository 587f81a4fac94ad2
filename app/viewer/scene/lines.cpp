#include "viewer/scene/lines.h"

#include "viewer/scene/frusta.h"
#include "viewer/window/style.h"

namespace splat::app {

namespace {

ImVec2 vec(glm::ivec2 v) { return {static_cast<float>(v.x), static_cast<float>(v.y)}; }

constexpr ImU32 kBehindWords = IM_COL32(0, 0, 0, 150);

}  // namespace

Lines::Lines(const Camera& camera, glm::ivec2 low, glm::ivec2 high)
    : camera_(camera), origin_(low), end_(vec(high)), list_(*ImGui::GetBackgroundDrawList()) {
    list_.PushClipRect(vec(low), vec(high), true);
}

void Lines::segment(const glm::dvec3& from, const glm::dvec3& to, ImU32 colour, float width) const {
    if (const auto seen = segmentOnPicture(camera_, from, to)) list_.AddLine(at(seen->first), at(seen->second), colour, points(width));
}

void Lines::note(const char* words, ImU32 colour) const {
    const ImVec2 size = ImGui::CalcTextSize(words);
    list_.AddText({end_.x - size.x - points(8), end_.y - size.y - points(8)}, colour, words);
}

void Lines::label(const glm::dvec3& point, const char* words, ImU32 colour) const {
    const auto pixel = onPicture(camera_, point);
    if (!pixel) return;
    const ImVec2 corner = at(*pixel + glm::dvec2(points(6))), size = ImGui::CalcTextSize(words);
    const float edge = points(3);
    list_.AddRectFilled({corner.x - edge, corner.y}, {corner.x + size.x + edge, corner.y + size.y}, kBehindWords, edge);
    list_.AddText(corner, colour, words);
}

}  // namespace splat::app
