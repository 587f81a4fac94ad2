#pragma once

#include <string>
#include <vector>

namespace splat::app {

/// What a desktop means that starts the program without a command, by a double click (no words) or by files dropped on it (their paths): `view`.
/// `words` are the command line's, the program's own name first.
std::vector<std::string> withViewer(std::vector<std::string> words);

}  // namespace splat::app
