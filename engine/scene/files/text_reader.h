#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace splat {

/// Removes the next word (separated by spaces, tabs, line ends) from the text and returns it; empty at the end.
std::string_view takeWord(std::string_view& text);

/// The whole word as a number ("nan" and "inf" are numbers); nothing if it is not one.
std::optional<double> parseNumber(std::string_view word);

/// One line of a text file, read word by word. Every failure throws InputError with the line's number.
class TextLine {
public:
    TextLine(const std::filesystem::path& path, size_t number, std::string_view text) : path_(path), number_(number), rest_(text) {}

    std::string_view readWord(const char* property);
    double readNumber(const char* property);
    uint64_t readInteger(const char* property);
    /// The rest of the line, trimmed.
    std::string_view rest() const;

private:
    const std::filesystem::path& path_;
    size_t number_;
    std::string_view rest_;
};

}  // namespace splat
