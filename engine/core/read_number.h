#pragma once

#include <charconv>
#include <string_view>
#include <system_error>

namespace splat {

/// Reads a number that fills the whole text: no blanks, no leading +, nothing after it. Returns false, with `value` unspecified, for other text.
template <class T>
bool readNumber(std::string_view text, T& value) {
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc() && end == text.data() + text.size();
}

}  // namespace splat
