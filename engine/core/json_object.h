#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/parse_json.h>

namespace splat {

/// An object of a JSON file of which every key is known. Messages start with `where`: the file and the path to the object, as in
/// "suite.json: scenes[0]", then say the key, what was found and what was expected.
class JsonObject {
public:
    /// Throws InputError unless the value is an object that has only these keys; similar keys are suggested. The value must outlive this.
    JsonObject(std::string where, const nlohmann::json& value, std::vector<std::string_view> keys);

    bool has(std::string_view key) const { return value_.contains(key); }
    /// Where a key's value stands, for messages.
    std::string at(std::string_view key) const;
    /// The value of a key. Throws InputError if it is missing, here and below.
    const nlohmann::json& get(std::string_view key) const;
    /// A string that is not empty.
    std::string text(std::string_view key) const;
    /// A list that is not empty.
    const nlohmann::json& list(std::string_view key) const;
    template <std::integral T>
    T whole(std::string_view key, T min, T max) const {
        const auto number = wholeNumber<T>(get(key));
        if (!number || *number < min || *number > max) refuse(key, fmt::format("a whole number, {} to {}", min, max));
        return *number;
    }
    double number(std::string_view key, double min, double max) const;
    /// Throws InputError with the value that was found.
    [[noreturn]] void refuse(std::string_view key, std::string_view expected) const;

private:
    std::string where_;
    const nlohmann::json& value_;
};

/// A value as JSON text for messages, cut to a readable length.
std::string jsonExcerpt(const nlohmann::json& value);

}  // namespace splat
