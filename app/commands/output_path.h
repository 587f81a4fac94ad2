#pragma once

#include <string>

namespace splat::app {

/// Throws InputError if the path of -o is empty.
void checkOutputPath(const std::string& path);

}  // namespace splat::app
