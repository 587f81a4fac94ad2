#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace splat::app {

/// A line of a script: the name of an action and its arguments.
struct ScriptLine {
    size_t number = 0;  ///< in the file, from 1
    std::string action;
    bool tries = false;  ///< after the word `try`: the script continues if it fails
    std::vector<std::string> arguments;
};

/// Words of a line; quotation marks keep spaces together, # starts a comment.
std::vector<std::string> scriptWords(std::string_view line);

/// Reads a script. Throws InputError naming the file if it is unreadable or has no actions; unknown actions are found when they run.
std::vector<ScriptLine> readScript(const std::filesystem::path& path);

}  // namespace splat::app
