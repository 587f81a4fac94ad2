#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <glm/glm.hpp>

#include <splatwright/view/render_modes.h>

namespace splat::app {

/// Colour of a number from 0 to 1 in a colour map, as Dear ImGui has colours.
uint32_t colourAt(double place, std::string_view colourMap);

/// What the colours of a mode with values mean.
struct Legend {
    const RenderMode& mode;
    std::string_view colourMap;
    std::pair<double, double> range;  ///< mappedRange()
    bool logarithmic = false;
    bool isLocked = false;          ///< the range does not follow the picture
    std::optional<double> pointed;  ///< value under the pointer
};

/// A value with four digits and its unit.
std::string valueText(const RenderMode& mode, double value);

// Drawn over the picture between low and high on the screen.

/// The colour map, labelled at both ends and in the middle, with a line at the value under the pointer; nothing if there is no space.
void drawLegend(const Legend& legend, glm::ivec2 low, glm::ivec2 high);

/// A value beside the pointer.
void drawPointed(const std::string& text, glm::vec2 pointer, glm::ivec2 low, glm::ivec2 high);

/// A name at a place, cut with dots where there is no room for it; pixels.
void drawLabel(const std::string& text, glm::vec2 at, float room);

/// A sentence at the top.
void drawNote(const std::string& text, glm::ivec2 low, glm::ivec2 high);

}  // namespace splat::app
