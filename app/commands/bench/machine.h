#pragma once

#include <string>

namespace splat::app {

/// The processor and the operating system.
std::string machineText();

}  // namespace splat::app
