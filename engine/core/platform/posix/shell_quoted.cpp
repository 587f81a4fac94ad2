#include <splatwright/core/shell_quoted.h>

#include <algorithm>

#include <fmt/format.h>

namespace splat {

namespace {

bool isPlain(char c) {
    return std::string_view("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-").find(c) != std::string_view::npos;
}
bool isPrinted(char c) { return c >= ' ' && c <= '~'; }

std::string escaped(char c) {
    if (c == '\'' || c == '\\') return {'\\', c};
    return isPrinted(c) ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
}

}  // namespace

std::string shellQuoted(std::string_view word) {
    if (!word.empty() && std::ranges::all_of(word, isPlain)) return std::string(word);
    if (std::ranges::all_of(word, isPrinted)) {
        // As every POSIX shell reads it: in single quotes, those of the word escaped outside of them.
        std::string text = "'";
        for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
        return text + "'";
    }
    std::string quoted = "$'";
    for (const char c : word) quoted += escaped(c);
    return quoted + "'";
}

}  // namespace splat
