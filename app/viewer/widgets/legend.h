#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <glm/glm.hpp>

#include <splatwright/view/render_modes.h>

namespace splat::app {

/// Colour of a number from 0 to 1 in a colour map, as Dear ImGui has colours.
uint32_t colourAt(double place, std::string_view colourMap);

// Drawn over the picture between low and high on the screen.

/// The colour map of a mode with values, labelled at both ends and in the middle; nothing if there is no space.
void drawLegend(const RenderMode& row, const std::string& colourMap, std::pair<double, double> range, glm::ivec2 low, glm::ivec2 high);

/// A sentence at the top.
void drawNote(const std::string& text, glm::ivec2 low, glm::ivec2 high);

}  // namespace splat::app
