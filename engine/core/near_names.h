#pragma once

#include <string_view>
#include <vector>

namespace splat {

/// At most five suggestions for an unknown name: names that contain it or that it contains, then names within a few letters, each sorted by edit
/// distance. If there are none, the five nearest names.
std::vector<std::string_view> nearestNames(std::vector<std::string_view> names, std::string_view unknown);

}  // namespace splat
