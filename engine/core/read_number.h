#pragma once

#include <charconv>
#include <string_view>
#include <system_error>

namespace splat {

/// Reads a number that is the whole text: no blanks, sign + or anything behind it. False, with `value` in no certain state, for any other text.
template <class T>
bool readNumber(std::string_view text, T& value) {
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc() && end == text.data() + text.size();
}

}  // namespace splat
