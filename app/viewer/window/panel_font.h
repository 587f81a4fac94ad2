#pragma once

#include <span>

namespace splat::app {

/// The font of panels, a TrueType file in the program: Roboto, with Latin, Greek and Cyrillic letters.
std::span<const unsigned char> panelFont();

}  // namespace splat::app
