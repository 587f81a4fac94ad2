#pragma once

#include <string>
#include <utility>

#include <glm/glm.hpp>

#include "view/pictures.h"

namespace splat::app {

// Over a picture that lies between low and high on the screen.

/// The colour map of a picture of numbers, with the numbers at both ends and in the middle; nothing where there is no space for it.
void drawLegend(const PictureRow& row, const std::string& colourMap, std::pair<double, double> range, glm::ivec2 low, glm::ivec2 high);

/// A sentence at the top.
void drawNote(const std::string& text, glm::ivec2 low, glm::ivec2 high);

}  // namespace splat::app
