#include "viewer/remote/key_names.h"

#include <algorithm>
#include <iterator>

#include <splatwright/core/read_number.h>

namespace splat::app {

namespace {

struct NamedKey {
    std::string_view name, imgui;
};
constexpr NamedKey kNamedKeys[] = {
    {"Escape", "Escape"},   {"Enter", "Enter"},    {"Tab", "Tab"},        {"Backspace", "Backspace"},
    {"Delete", "Delete"},   {"Space", "Space"},    {"Left", "LeftArrow"}, {"Right", "RightArrow"},
    {"Up", "UpArrow"},      {"Down", "DownArrow"}, {"PageUp", "PageUp"},  {"PageDown", "PageDown"},
    {"Home", "Home"},       {"End", "End"},        {"[", "LeftBracket"},  {"]", "RightBracket"},
    {"-", "Minus"},         {"=", "Equal"},        {",", "Comma"},        {".", "Period"},
    {"Shift", "LeftShift"}, {"Ctrl", "LeftCtrl"},  {"Alt", "LeftAlt"},
};

bool isFunctionKey(std::string_view key) {
    int number = 0;
    return key.starts_with('F') && readNumber(key.substr(1), number) && number >= 1 && number <= 12 && key[1] != '0';
}

}  // namespace

std::string_view imguiNameOf(std::string_view key) {
    const bool isLetter = key.size() == 1 && key[0] >= 'A' && key[0] <= 'Z', isDigit = key.size() == 1 && key[0] >= '0' && key[0] <= '9';
    if (isLetter || isDigit || isFunctionKey(key)) return key;
    const auto found = std::ranges::find(kNamedKeys, key, &NamedKey::name);
    return found == std::end(kNamedKeys) ? std::string_view() : found->imgui;
}

}  // namespace splat::app
