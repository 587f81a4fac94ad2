#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <glm/glm.hpp>

namespace splat::app {

/// A curve of values by step.
struct Curve {
    std::span<const uint32_t> steps;
    std::span<const float> values;
};

/// The point of a curve nearest to a position between low (first point) and high (last point).
size_t pointUnder(float at, float low, float high, size_t points);
/// Tooltip of a point: its step and its value.
std::string pointText(const Curve& curve, size_t point);

/// Draws a curve with this range of values (if both are equal, the curve's own). size: pixels.
void plotCurve(const char* id, const Curve& curve, float least, float largest, glm::vec2 size);

}  // namespace splat::app
