#pragma once

#include <array>
#include <charconv>
#include <functional>
#include <string>

#include <splatwright/core/file.h>

namespace splat {

/// Appends the shortest text that reads back as the same number.
template <class T>
void putNumber(std::string& text, T number) {
    std::array<char, 32> digits;
    text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

/// Appends the text of items, which textOf(first, end) makes of some of them, on all cores.
void writeText(AtomicFile& file, size_t items, const std::function<std::string(size_t first, size_t end)>& textOf);

}  // namespace splat
