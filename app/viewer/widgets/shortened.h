#pragma once

#include <string>

namespace splat::app {

/// The first line of a text, cut to a width in pixels; dots stand for the rest.
std::string shortened(const std::string& text, float room);

}  // namespace splat::app
