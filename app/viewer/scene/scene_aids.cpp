#include "viewer/scene/scene_aids.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "viewer/scene/lines.h"
#include "viewer/scene/orientation_cube.h"

namespace splat::app {

namespace {

constexpr int kGridLines = 20;  // on each side of the middle
constexpr int kStrong = 10;     // every tenth line
constexpr ImU32 kGridColour = IM_COL32(170, 170, 170, 60), kStrongColour = IM_COL32(190, 190, 190, 120),
                kLetters = IM_COL32(200, 200, 200, 255);

/// Two directions of the plane that is perpendicular to `up`; axes of the world if `up` is one.
std::array<glm::dvec3, 2> planeOf(const glm::dvec3& up) {
    const glm::dvec3 notParallel = std::abs(up.z) < 0.9 ? glm::dvec3(0, 0, 1) : glm::dvec3(1, 0, 0);
    const glm::dvec3 side = glm::normalize(glm::cross(notParallel, up));
    return {side, glm::cross(up, side)};
}

}  // namespace

double gridStep(double distance) { return std::pow(10, std::floor(std::log10(distance))); }

void drawGrid(const Lines& lines, const Navigator& navigator) {
    const double step = gridStep(navigator.distance());
    const std::array plane = planeOf(navigator.up());
    const glm::dvec3 &a = plane[0], &b = plane[1];
    const double middleA = std::round(glm::dot(navigator.target(), a) / step), middleB = std::round(glm::dot(navigator.target(), b) / step);
    const auto at = [&](double alongA, double alongB) { return step * (alongA * a + alongB * b); };
    const auto colour = [](double line) { return std::fmod(line, kStrong) == 0 ? kStrongColour : kGridColour; };
    for (int i = -kGridLines; i <= kGridLines; ++i) {
        const double lineA = middleA + i, lineB = middleB + i;
        lines.segment(at(lineA, middleB - kGridLines), at(lineA, middleB + kGridLines), colour(lineA), 1);
        lines.segment(at(middleA - kGridLines, lineB), at(middleA + kGridLines, lineB), colour(lineB), 1);
    }
    lines.note(fmt::format("square: {:g}", step).c_str(), kLetters);
}

void drawAxes(const Lines& lines, const Navigator& navigator) {
    constexpr std::array kNames{"X", "Y", "Z"};
    const double length = gridStep(navigator.distance());
    for (int axis = 0; axis < 3; ++axis) {
        glm::dvec3 end(0);
        end[axis] = length;
        lines.segment({0, 0, 0}, end, axisColour(axis), 2.5F);
        lines.label(end, kNames[static_cast<size_t>(axis)], axisColour(axis));
    }
}

}  // namespace splat::app
