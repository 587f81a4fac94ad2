#pragma once

#include <splatwright/scene/formats/usd/usda_document.h>

namespace splat {

/// A place in a text that moves over its tokens. Every member throws InputError where the text is none of OpenUSD's.
class UsdaCursor {
public:
    /// `part`: what to read of the text.
    UsdaCursor(const UsdaText& text, std::string_view part) : text_(text), at_(part.data()), end_(part.data() + part.size()) {}

    /// Whether nothing but blanks and comments is left.
    bool ended();
    /// The next character that is no blank; 0 at the end.
    char next() { return ended() ? '\0' : *at_; }
    /// Moves over the character if it is the next one.
    bool take(char c);
    void expect(char c);
    /// A name, a keyword, a number or a type.
    std::string_view word();
    /// The text between the quotes.
    std::string_view string();
    /// Moves over a value of any type and returns it.
    std::string_view value();
    [[noreturn]] void fail(const std::string& expected) const { text_.fail(at_, expected); }

private:
    void asset();
    void passBrackets();
    void passUntil(std::string_view end);

    const UsdaText& text_;
    const char *at_, *end_;
};

}  // namespace splat
