#pragma once

#include <string>
#include <utility>

#include <glm/glm.hpp>

#include <splatwright/view/render_modes.h>

namespace splat::app {

// Drawn over the picture between low and high on the screen.

/// The colour map of a mode with values, labelled at both ends and in the middle; nothing if there is no space.
void drawLegend(const RenderMode& row, const std::string& colourMap, std::pair<double, double> range, glm::ivec2 low, glm::ivec2 high);

/// A sentence at the top.
void drawNote(const std::string& text, glm::ivec2 low, glm::ivec2 high);

}  // namespace splat::app
