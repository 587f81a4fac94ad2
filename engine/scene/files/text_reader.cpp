#include <splatwright/scene/files/text_reader.h>

#include <algorithm>
#include <charconv>

#include <splatwright/core/error.h>

namespace splat {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

template <class T>
std::optional<T> parse(std::string_view word) {
    T value{};
    const char* end = word.data() + word.size();
    const auto result = std::from_chars(word.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
    return value;
}

}  // namespace

std::string_view takeWord(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
    text.remove_prefix(word.size());
    return word;
}

std::optional<double> parseNumber(std::string_view word) {
    if (word.starts_with('+')) word.remove_prefix(1);  // from_chars takes only a minus
    return parse<double>(word);
}

std::string_view TextLine::readWord(const char* property) {
    const std::string_view word = takeWord(rest_);
    if (word.empty()) throw InputError("{}:{}: the line ends before {}", path_.string(), number_, property);
    return word;
}

double TextLine::readNumber(const char* property) {
    const std::string_view word = readWord(property);
    if (const auto number = parseNumber(word)) return *number;
    throw InputError("{}:{}: {} is '{}', expected a number", path_.string(), number_, property, word);
}

uint64_t TextLine::readInteger(const char* property) {
    const std::string_view word = readWord(property);
    if (const auto number = parse<uint64_t>(word)) return *number;
    throw InputError("{}:{}: {} is '{}', expected a whole number", path_.string(), number_, property, word);
}

std::string_view TextLine::rest() const {
    const size_t start = std::min(rest_.find_first_not_of(kBlanks), rest_.size());
    const size_t end = rest_.find_last_not_of(kBlanks);
    return rest_.substr(start, end == std::string_view::npos ? 0 : end - start + 1);
}

}  // namespace splat
