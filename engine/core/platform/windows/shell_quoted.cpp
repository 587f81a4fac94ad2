#include <splatwright/core/shell_quoted.h>

#include <algorithm>

#include <splatwright/core/platform/windows/api.h>

namespace splat {

namespace {

/// Neither cmd.exe nor PowerShell sees anything in it.
bool isPlain(char c) {
    return std::string_view("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+:./\\_-").find(c) != std::string_view::npos;
}

}  // namespace

std::string shellQuoted(std::string_view word) {
    if (!word.empty() && std::ranges::all_of(word, isPlain)) return std::string(word);
    return platform::utf8(platform::quoted(platform::wide(word)));
}

}  // namespace splat
