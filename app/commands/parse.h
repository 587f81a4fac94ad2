#pragma once

#include <string_view>

#include <glm/glm.hpp>

#include "scene/dataset.h"
#include "scene/image_file.h"

namespace splat::app {

// Texts of options to values; an InputError names the option, what was found and what was expected.

/// "640x480".
ImageSize parseSize(std::string_view text, std::string_view option);
/// "1,0.5,0".
glm::vec3 parseTriple(std::string_view text, std::string_view option);
/// Three numbers in 0..1.
glm::vec3 parseColour(std::string_view text, std::string_view option);
/// "test", "train" or "all".
Split parseSplit(std::string_view text, std::string_view option);
/// "1", "2", "4", "8", or "auto", which is 0 to loadPhotographs().
int parseDownscale(std::string_view text, std::string_view option);

}  // namespace splat::app
