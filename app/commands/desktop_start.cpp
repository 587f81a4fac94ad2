#include "commands/desktop_start.h"

#include <filesystem>

namespace splat::app {

std::vector<std::string> withViewer(std::vector<std::string> words) {
    // Desktops give whole paths; no command or option is one.
    if (words.size() == 1 || (words.size() > 1 && std::filesystem::path(words[1]).is_absolute())) words.insert(words.begin() + 1, "view");
    return words;
}

}  // namespace splat::app
