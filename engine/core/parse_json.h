#pragma once

#include <concepts>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

namespace splat {

/// Copying, comparing and writing JSON recurse, so that deeper nesting could exhaust the stack.
inline constexpr size_t kMaxJsonDepth = 64;

/// Parses a text; every JSON that the program reads passes through here. Python writes NaN and Infinity, which JSON does not have: they are
/// read as null, so that only a property that is needed makes them an error. Throws InputError, starting with `where`, that gives the line and
/// column of what is not JSON or is nested deeper than kMaxJsonDepth.
nlohmann::json parseJson(std::string_view text, std::string_view where);

/// The same, with keys in the order of the text.
nlohmann::ordered_json parseOrderedJson(std::string_view text, std::string_view where);

/// Parses a file.
nlohmann::json readJson(const std::filesystem::path& path);

/// A number as T; nothing unless it is a whole number that T can hold. The library's own conversion wraps instead: 2^40 becomes 0.
template <std::integral T, class Json>
std::optional<T> wholeNumber(const Json& value) {
    if (value.is_number_unsigned()) {
        const auto number = value.template get<uint64_t>();
        return std::in_range<T>(number) ? std::optional(static_cast<T>(number)) : std::nullopt;
    }
    if (!value.is_number_integer()) return std::nullopt;
    const auto number = value.template get<int64_t>();
    return std::in_range<T>(number) ? std::optional(static_cast<T>(number)) : std::nullopt;
}

}  // namespace splat
