#include "viewer/script/script.h"

#include <sstream>
#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>

namespace splat::app {

std::vector<std::string> scriptWords(std::string_view line) {
    std::vector<std::string> words;
    std::string word;
    bool quoted = false, open = false;
    const auto finish = [&] {
        if (open) words.push_back(std::exchange(word, {}));
        open = false;
    };
    for (const char c : line) {
        if (c == '"') {
            quoted = !quoted;
            open = true;
        } else if (!quoted && c == '#') {
            break;
        } else if (!quoted && (c == ' ' || c == '\t' || c == '\r')) {
            finish();
        } else {
            word += c;
            open = true;
        }
    }
    if (quoted) throw InputError("a quotation mark is not closed in: {}", line);
    finish();
    return words;
}

std::vector<ScriptLine> readScript(const std::filesystem::path& path) {
    std::vector<ScriptLine> lines;
    std::istringstream text(readTextFile(path));
    std::string line;
    size_t number = 1;
    for (; std::getline(text, line); ++number) {
        std::vector<std::string> words;
        try {
            words = scriptWords(line);
        } catch (const InputError& problem) {
            throw InputError("{}:{}: {}", path.string(), number, problem.what());
        }
        if (words.empty()) continue;
        const bool tries = words.front() == "try";
        if (tries) words.erase(words.begin());
        if (words.empty()) throw InputError("{}:{}: try: the action is missing", path.string(), number);
        lines.push_back({.number = number, .action = words.front(), .tries = tries, .arguments = {words.begin() + 1, words.end()}});
    }
    if (lines.empty()) throw InputError("{}:{}: the script ends here without an action, expected at least one", path.string(), number);
    return lines;
}

}  // namespace splat::app
