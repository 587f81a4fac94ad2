#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <span>
#include <string_view>
#include <system_error>

namespace splat {

/// Reads a number that fills the whole text: no blanks, no leading +, nothing after it. Returns false, with `value` unspecified, for other text.
template <class T>
bool readNumber(std::string_view text, T& value) {
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc() && end == text.data() + text.size();
}

/// Reads numbers with commas between them that fill the whole text, as many as there are values. Returns false, with `values` unspecified, for other
/// text.
template <class T>
bool readNumbers(std::string_view text, std::span<T> values) {
    for (size_t i = 0; i < values.size(); ++i) {
        const size_t end = i + 1 < values.size() ? text.find(',') : text.size();
        if (end == std::string_view::npos || !readNumber(text.substr(0, end), values[i])) return false;
        text.remove_prefix(std::min(text.size(), end + 1));
    }
    return true;
}

}  // namespace splat
