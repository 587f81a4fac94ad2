#pragma once

#include <concepts>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include <glm/glm.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/read_number.h>
#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/scene/images/image_file.h>

namespace splat::app {

// Parse option values. Throw InputError with the option, what was found and what was expected.

/// Range of an option's value, both ends included.
template <class T>
struct Range {
    T min, max;

    std::string text() const { return fmt::format("{} to {}", min, max); }
};

/// A whole number in decimal digits.
template <std::integral T>
T parseNumber(std::string_view text, std::string_view option, Range<T> range) {
    T value{};
    if (!readNumber(text, value) || value < range.min || value > range.max)
        throw InputError("{}: found '{}', expected a whole number, {}", option, text, range.text());
    return value;
}

/// A decimal number from min to max.
float parseReal(std::string_view text, std::string_view option, Range<float> range);

inline constexpr int kMaxSide = 8192;             ///< pixels; limit of the renderer
inline constexpr float kLongestDirection = 1e6F;  ///< per coordinate

/// "640x480".
ImageSize parseSize(std::string_view text, std::string_view option);
/// "320,240", each less than kMaxSide.
glm::uvec2 parsePixel(std::string_view text, std::string_view option);
/// "127.0.0.1": four numbers of 0 to 255.
std::string parseIpv4(std::string_view text, std::string_view option);
/// "1,0.5,0", not all of them 0.
glm::vec3 parseDirection(std::string_view text, std::string_view option);
/// Three numbers in 0..1.
glm::vec3 parseColour(std::string_view text, std::string_view option);
/// "test", "train" or "all".
Split parseSplit(std::string_view text, std::string_view option);
std::string_view nameOf(Split split);
/// "1", "2", "4", "8", or "auto", which is 0 in PhotographOptions.
int parseDownscale(std::string_view text, std::string_view option);

}  // namespace splat::app
