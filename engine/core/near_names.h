#pragma once

#include <string_view>
#include <vector>

namespace splat {

/// The names that an unknown one may have meant, at most five: those that hold it or that it holds, then those a few letters away, each by
/// edit distance; the nearest five where there are none.
std::vector<std::string_view> nearestNames(std::vector<std::string_view> names, std::string_view unknown);

}  // namespace splat
