#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <glm/glm.hpp>

namespace splat::app {

/// A curve of numbers and the steps that they are of.
struct Curve {
    std::span<const uint32_t> steps;
    std::span<const float> values;
};

/// The point of a curve that is nearest to a place between its ends; the first lies at low, the last at high.
size_t pointUnder(float at, float low, float high, size_t points);
/// What the pointer over a point of a curve reads: its step and its number.
std::string pointText(const Curve& curve, size_t point);

/// Draws a curve from least to largest (equal: the curve's own) as large as size says, pixels.
void plotCurve(const char* id, const Curve& curve, float least, float largest, glm::vec2 size);

}  // namespace splat::app
