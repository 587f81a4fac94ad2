#include <splatwright/core/parse_json.h>

#include <algorithm>
#include <array>
#include <string>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>

namespace splat {

namespace {

constexpr std::array<std::string_view, 3> kNonFinite{"-Infinity", "Infinity", "NaN"};

/// The length of a word with which Python writes a non-finite number; 0 for any other text.
size_t nonFiniteAt(std::string_view text) {
    for (const std::string_view word : kNonFinite) {
        if (text.starts_with(word)) return word.size();
    }
    return 0;
}

[[noreturn]] void refuseDepth(std::string_view text, size_t at, std::string_view where) {
    const std::string_view before = text.substr(0, at);
    const auto line = 1 + std::ranges::count(before, '\n');
    const size_t lastBreak = before.rfind('\n');
    const size_t column = at - (lastBreak == std::string_view::npos ? 0 : lastBreak + 1) + 1;
    throw InputError("{}: JSON nested deeper at line {}, column {}, expected at most {} levels", where, line, column, kMaxJsonDepth);
}

/// The text with null for non-finite numbers outside strings; refuses deep nesting.
std::string prepared(std::string_view text, std::string_view where) {
    std::string clean;
    clean.reserve(text.size());
    bool inString = false;
    size_t depth = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\' && i + 1 < text.size()) clean += text[i++];
            if (c == '"') inString = false;
        } else if (const size_t word = nonFiniteAt(text.substr(i)); word > 0) {
            clean += "null";
            i += word - 1;
            continue;
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            if (++depth > kMaxJsonDepth) refuseDepth(text, i, where);
        } else if ((c == ']' || c == '}') && depth > 0) {
            --depth;
        }
        clean += text[i];
    }
    return clean;
}

template <class Json>
Json parse(std::string_view text, std::string_view where) {
    try {
        return Json::parse(prepared(text, where));
    } catch (const typename Json::exception& problem) {
        throw InputError("{}: not JSON: {}", where, problem.what());
    }
}

}  // namespace

nlohmann::json parseJson(std::string_view text, std::string_view where) { return parse<nlohmann::json>(text, where); }

nlohmann::ordered_json parseOrderedJson(std::string_view text, std::string_view where) {
    return parse<nlohmann::ordered_json>(text, where);
}

nlohmann::json readJson(const std::filesystem::path& path) { return parseJson(readTextFile(path), path.string()); }

}  // namespace splat
