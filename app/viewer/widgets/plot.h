#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <glm/glm.hpp>

namespace splat::app {

/// A curve of values by step; steps increase.
struct Curve {
    std::string name;
    std::span<const uint32_t> steps;
    std::span<const float> values;
};

/// Index of the point whose step is nearest. There is at least one.
size_t nearestPoint(std::span<const uint32_t> steps, double step);

/// The points that a plot of so many pixels across needs of a longer curve: of each column's points the lowest and the highest, and both ends, in their order.
/// Indices into `values`, of `count` points from `first` on; all of them if they are few.
std::vector<size_t> drawnPoints(std::span<const float> values, size_t first, size_t count, size_t columns);

/// Draws curves over their steps in one plot as wide as the panel, with axes and, under the pointer, step and values. The axes follow the curves until
/// the user zooms (Ctrl and wheel, or a rectangle with the right button) or pans; a double click lets them follow again. A switch makes the scale
/// logarithmic. unit: of the values, may be empty. lines: height in lines of text.
void drawPlot(const char* id, const char* unit, std::span<const Curve> curves, float lines);

/// The colour of a curve of a plot, by its index.
glm::vec4 curveColour(size_t index);

}  // namespace splat::app
