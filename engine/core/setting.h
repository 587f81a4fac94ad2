#pragma once

#include <limits>
#include <string_view>

namespace splat {

/// What a settings struct says of one of its fields besides name and value: a struct has one `visit(visitor)` that calls
/// visitor("name", field, Setting{...}) for each, and command line, JSON, checkpoint and viewer are visitors.
struct Setting {
    std::string_view help;
    std::string_view group;
    std::string_view unit = "";
    double min = std::numeric_limits<double>::lowest();
    double max = std::numeric_limits<double>::max();
};

}  // namespace splat
