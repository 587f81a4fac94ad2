#pragma once

#include <concepts>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json_fwd.hpp>

namespace splat {

/// Copying, comparing and writing JSON are recursive, so deeper nesting could exhaust the stack.
inline constexpr size_t kMaxJsonDepth = 64;

/// Parses JSON text; everything the program reads as JSON goes through here. NaN and Infinity, which Python writes, are read as null, so they are
/// an error only if the property is needed. Throws InputError, starting with `where`, with line and column of invalid JSON or of nesting deeper
/// than kMaxJsonDepth.
nlohmann::json parseJson(std::string_view text, std::string_view where);

/// Parses JSON text and keeps the order of its keys.
nlohmann::ordered_json parseOrderedJson(std::string_view text, std::string_view where);

/// Parses a file.
nlohmann::json readJson(const std::filesystem::path& path);

/// JSON text of a value, on one line or indented. Bytes that are not UTF-8, as file names may have, become U+FFFD; the library's own dump() throws.
template <class Json>
std::string jsonText(const Json& value, int indent = -1) {
    return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

/// Converts to T, or returns nothing unless the value is a whole number in T's range. The library's own conversion would wrap: 2^40 becomes 0.
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
