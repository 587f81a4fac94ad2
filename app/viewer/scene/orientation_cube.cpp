#include "viewer/scene/orientation_cube.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/ranges.h>
#include <imgui.h>

#include <splatwright/core/error.h>
#include "viewer/window/style.h"

namespace splat::app {

namespace {

constexpr float kHalf = 24, kEdge = 14;  // points: half of the cube's edge, and its distance from the region's edges when it is turned
constexpr std::array kFaces{CubeFace{"x", "X", {1, 0, 0}},    CubeFace{"-x", "-X", {-1, 0, 0}}, CubeFace{"y", "Y", {0, 1, 0}},
                            CubeFace{"-y", "-Y", {0, -1, 0}}, CubeFace{"z", "Z", {0, 0, 1}},    CubeFace{"-z", "-Z", {0, 0, -1}}};
constexpr ImU32 kLetters = IM_COL32(20, 20, 20, 255), kEdges = IM_COL32(20, 20, 20, 200), kPointed = IM_COL32(255, 230, 130, 255);
constexpr double kLabelled = 0.4;  // cosine of a face's angle, below which its letters would not fit on it
constexpr float kDarkest = 0.55F;  // of a face that is seen from the side

int axisOf(const CubeFace& face) { return face.normal.x != 0 ? 0 : face.normal.y != 0 ? 1 : 2; }

/// A face on the screen: its middle, and half edges from there, in half edges of the cube.
struct Seen {
    glm::dvec2 middle, a, b;

    Seen(const glm::dmat3& rotation, const CubeFace& face) : middle(rotation * face.normal) {
        const int axis = axisOf(face);
        a = glm::dvec2(rotation[(axis + 1) % 3]);
        b = glm::dvec2(rotation[(axis + 2) % 3]);
    }
};

bool isTowards(const glm::dmat3& rotation, const CubeFace& face) { return (rotation * face.normal).z < -1e-3; }

ImU32 shaded(ImU32 colour, double cosine) {
    const float light = kDarkest + (1 - kDarkest) * static_cast<float>(cosine);
    const ImVec4 c = ImGui::ColorConvertU32ToFloat4(colour);
    return ImGui::ColorConvertFloat4ToU32({c.x * light, c.y * light, c.z * light, 1});
}

}  // namespace

uint32_t axisColour(int axis) {
    constexpr std::array kColours{IM_COL32(235, 95, 95, 255), IM_COL32(125, 205, 95, 255), IM_COL32(100, 150, 245, 255)};
    return kColours[static_cast<size_t>(axis)];
}

std::span<const CubeFace> cubeFaces() { return kFaces; }

const CubeFace& cubeFaceByName(std::string_view name) {
    const auto* const found = std::ranges::find(kFaces, name, &CubeFace::name);
    if (found != kFaces.end()) return *found;
    std::vector<std::string_view> known;
    for (const CubeFace& face : kFaces) known.push_back(face.name);
    throw InputError("side '{}', expected one of: {}", name, fmt::join(known, ", "));
}

const CubeFace* cubeFaceAt(const glm::dmat3& rotation, const glm::dvec2& at) {
    for (const CubeFace& face : kFaces) {
        if (!isTowards(rotation, face)) continue;
        const Seen seen(rotation, face);
        const glm::dvec2 parts = glm::inverse(glm::dmat2(seen.a, seen.b)) * (at - seen.middle);
        if (std::abs(parts.x) <= 1 && std::abs(parts.y) <= 1) return &face;
    }
    return nullptr;
}

CubePlace::CubePlace(glm::ivec2 low, glm::ivec2 high) : half(points(kHalf)) {
    const double reach = std::sqrt(3.0) * half + points(kEdge);
    centre = {high.x - reach, low.y + reach};
}

void drawOrientationCube(const glm::dmat3& rotation, const CubePlace& place, const CubeFace* pointed) {
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const auto screen = [&](const glm::dvec2& at) {
        const glm::dvec2 pixel = place.centre + place.half * at;
        return ImVec2(static_cast<float>(pixel.x), static_cast<float>(pixel.y));
    };
    for (const CubeFace& face : kFaces) {
        if (!isTowards(rotation, face)) continue;
        const Seen s(rotation, face);
        const std::array corners{screen(s.middle - s.a - s.b), screen(s.middle + s.a - s.b), screen(s.middle + s.a + s.b),
                                 screen(s.middle - s.a + s.b)};
        const double cosine = -(rotation * face.normal).z;
        const ImU32 colour = &face == pointed ? kPointed : shaded(axisColour(axisOf(face)), cosine);
        list.AddQuadFilled(corners[0], corners[1], corners[2], corners[3], colour);
        list.AddQuad(corners[0], corners[1], corners[2], corners[3], kEdges, points(1));
        if (cosine < kLabelled) continue;
        const ImVec2 size = ImGui::CalcTextSize(face.label), middle = screen(s.middle);
        list.AddText({middle.x - size.x / 2, middle.y - size.y / 2}, kLetters, face.label);
    }
}

}  // namespace splat::app
