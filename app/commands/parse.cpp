#include "commands/parse.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/ranges.h>

namespace splat::app {

namespace {

constexpr std::array kSplits{std::pair{"test", Split::test}, std::pair{"train", Split::train}, std::pair{"all", Split::all}};

bool parseThree(std::string_view text, glm::vec3& values) {
    const std::span numbers(&values.x, 3);
    return readNumbers(text, numbers) && std::ranges::all_of(numbers, [](float number) { return std::isfinite(number); });
}

template <class Number>
bool parseTwo(std::string_view text, char between, Number& first, Number& second) {
    const size_t at = text.find(between);
    return at != std::string_view::npos && readNumber(text.substr(0, at), first) && readNumber(text.substr(at + 1), second);
}

}  // namespace

float parseReal(std::string_view text, std::string_view option, Range<float> range) {
    float value{};
    if (!readNumber(text, value) || !(value >= range.min && value <= range.max))
        throw InputError("{}: found '{}', expected a number, {}", option, text, range.text());
    return value;
}

ImageSize parseSize(std::string_view text, std::string_view option) {
    ImageSize size;
    const bool numbers = parseTwo(text, 'x', size.width, size.height);
    const bool inRange = size.width >= 1 && size.height >= 1 && size.width <= kMaxSide && size.height <= kMaxSide;
    if (!numbers || !inRange) throw InputError("{}: found '{}', expected WIDTHxHEIGHT, each 1 to {} pixels", option, text, kMaxSide);
    return size;
}

glm::uvec2 parsePixel(std::string_view text, std::string_view option) {
    glm::uvec2 pixel{0};
    if (!parseTwo(text, ',', pixel.x, pixel.y) || pixel.x >= kMaxSide || pixel.y >= kMaxSide)
        throw InputError("{}: found '{}', expected X,Y, each 0 to {}", option, text, kMaxSide - 1);
    return pixel;
}

std::string parseIpv4(std::string_view text, std::string_view option) {
    std::array<uint8_t, 4> parts{};
    std::string_view rest = text;
    bool good = std::ranges::count(text, '.') == 3;
    for (size_t i = 0; i < parts.size() && good; ++i) {
        const size_t end = std::min(rest.find('.'), rest.size());
        good = readNumber(rest.substr(0, end), parts[i]);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const std::string address = fmt::format("{}", fmt::join(parts, "."));
    // 010 would be eight for some programs.
    if (!good || address != text) throw InputError("{}: found '{}', expected an IPv4 address, as 127.0.0.1", option, text);
    return address;
}

glm::vec3 parseDirection(std::string_view text, std::string_view option) {
    glm::vec3 values;
    const bool good = parseThree(text, values) && glm::clamp(values, -kLongestDirection, kLongestDirection) == values;
    if (!good || values == glm::vec3(0))
        throw InputError("{}: found '{}', expected X,Y,Z, each {:.0f} to {:.0f}, not all 0", option, text, -kLongestDirection,
                         kLongestDirection);
    return values;
}

glm::vec3 parseColour(std::string_view text, std::string_view option) {
    glm::vec3 colour;
    const bool good = parseThree(text, colour) && glm::clamp(colour, 0.0f, 1.0f) == colour;
    if (!good) throw InputError("{}: found '{}', expected R,G,B, each 0 to 1", option, text);
    return colour;
}

Split parseSplit(std::string_view text, std::string_view option) {
    for (const auto& [name, split] : kSplits) {
        if (text == name) return split;
    }
    throw InputError("{}: found '{}', expected test, train or all", option, text);
}

std::string_view nameOf(Split split) {
    return std::ranges::find(kSplits, split, [](const auto& row) { return row.second; })->first;
}

int parseDownscale(std::string_view text, std::string_view option) {
    if (text == "auto") return 0;
    for (const int factor : {1, 2, 4, 8}) {
        if (text == std::to_string(factor)) return factor;
    }
    throw InputError("{}: found '{}', expected 1, 2, 4, 8 or auto", option, text);
}

}  // namespace splat::app
