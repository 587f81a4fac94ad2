#include "viewer/script/script.h"

#include <sstream>
#include <utility>

#include <splatwright/core/input_file.h>

namespace splat::app {

namespace {

constexpr int kDragSteps = 8;  // frames of a drag, so that panels distinguish it from a click

}  // namespace

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

Pointer ScriptedPointer::at(glm::vec2 position) const {
    return {.position = position, .buttons = {}, .wheel = 0, .shift = shift_, .control = control_, .alt = alt_};
}

void ScriptedPointer::hold(bool shift, bool control, bool alt) {
    shift_ = shift;
    control_ = control;
    alt_ = alt;
}

void ScriptedPointer::move(glm::vec2 to) {
    add(at(to));
    add(at(to));  // Dear ImGui finds what lies under it one frame later
}

void ScriptedPointer::click(glm::vec2 where, Button button) {
    move(where);
    Pointer pressed = at(where);
    pressed.buttons[button] = true;
    add(pressed);
    add(pressed);
    add(at(where));
}

void ScriptedPointer::drag(glm::vec2 from, glm::vec2 to, Button button) {
    move(from);
    for (int i = 0; i <= kDragSteps; ++i) {
        Pointer pressed = at(glm::mix(from, to, static_cast<float>(i) / kDragSteps));
        pressed.buttons[button] = true;
        add(pressed);
    }
    add(at(to));
}

void ScriptedPointer::wheel(glm::vec2 where, float turns) {
    move(where);
    Pointer turned = at(where);
    turned.wheel = turns;
    add(turned);
    add(at(where));
}

std::optional<Pointer> ScriptedPointer::next() {
    if (!coming_.empty()) {
        now_ = coming_.front();
        coming_.erase(coming_.begin());
    }
    return now_;
}

}  // namespace splat::app
