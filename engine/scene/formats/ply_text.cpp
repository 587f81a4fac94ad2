#include <splatwright/scene/formats/ply_text.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include <splatwright/scene/files/text_reader.h>

namespace splat {
namespace {

/// The number that a word is; nothing if the type does not have it. Of floats that are too large or small for their type, infinity or 0.
template <class T>
std::optional<T> parseAs(std::string_view word) {
    if constexpr (std::is_same_v<T, float>) {
        float value = 0;  // not by way of a double, which would round twice
        const char* end = word.data() + word.size();
        const auto result = std::from_chars(word.data(), end, value);
        if (result.ec == std::errc() && result.ptr == end) return value;
    }
    const std::optional<double> number = parseNumber(word);
    if (!number || std::is_floating_point_v<T>) return number ? std::optional(static_cast<T>(*number)) : std::nullopt;
    using Limits = std::numeric_limits<T>;
    const bool has = *number >= static_cast<double>(Limits::lowest()) && *number <= static_cast<double>(Limits::max());
    if (!has || std::trunc(*number) != *number) return std::nullopt;
    return static_cast<T>(*number);
}

bool isBlank(char c) { return c == ' ' || ('\t' <= c && c <= '\r'); }

}  // namespace

std::vector<std::string_view> linesOf(std::string_view text, size_t searched, bool ended, size_t most, size_t& taken) {
    std::vector<std::string_view> lines;
    for (taken = 0; taken < text.size() && lines.size() < most;) {
        size_t end = text.find('\n', std::max(taken, searched));
        if (end == std::string_view::npos) {
            if (!ended) break;
            end = text.size();
        }
        const std::string_view line = text.substr(taken, end - taken);
        taken = std::min(end + 1, text.size());
        if (!std::ranges::all_of(line, isBlank)) lines.push_back(line);
    }
    return lines;
}

std::string parseRow(std::string_view line, const PlyElement& element, std::byte* to, size_t row) {
    const char *at = line.data(), *const end = at + line.size();
    for (const PlyProperty& property : element.properties) {
        at = std::find_if_not(at, end, isBlank);
        const char* const last = std::find_if(at, end, isBlank);
        const std::string_view word(at, static_cast<size_t>(last - at));
        at = last;
        const bool good = visitType(property.type, [&](auto number) {
            const auto parsed = parseAs<decltype(number)>(word);
            if (parsed) std::memcpy(to, &*parsed, sizeof number);
            return parsed.has_value();
        });
        if (!good) {
            const bool isNumber = parseNumber(word).has_value();
            return fmt::format("property {} of row {} is '{}', expected {}", property.name, row, word,
                               isNumber ? fmt::format("a number of type {}", nameOf(property.type)) : "a number");
        }
        to += bytesOf(property.type);
    }
    return {};
}

}  // namespace splat
