#pragma once

#include <string>
#include <string_view>

namespace splat::app {

/// A message as this program prints it: one printable line, in which settings that the engine quotes as `name` have their flags' names.
std::string withFlags(std::string_view message);

}  // namespace splat::app
