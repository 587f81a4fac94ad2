#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace splat {

/// Takes the next word between blanks (spaces, tabs, line ends) off the text; empty at its end.
std::string_view takeWord(std::string_view& text);

/// The line up to "\n" or "\r\n", taken off the text; nothing at its end.
std::optional<std::string_view> takeLine(std::string_view& text);

/// The whole word as a number ("nan" and "inf" are numbers); nothing when it is not one.
std::optional<double> parseNumber(std::string_view word);

/// One line of a text file whose words are read by name; every failure is an InputError with the line's number.
class TextLine {
public:
    TextLine(const std::filesystem::path& path, size_t number, std::string_view text) : path_(path), number_(number), rest_(text) {}

    std::string_view readWord(const char* property);
    double readNumber(const char* property);
    uint64_t readInteger(const char* property);
    /// All that is left, without blanks at either end.
    std::string_view rest() const;

private:
    const std::filesystem::path& path_;
    size_t number_;
    std::string_view rest_;
};

}  // namespace splat
