#pragma once

#include <limits>
#include <span>
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
    std::span<const std::string_view> choices = {};  ///< of a string; empty: any. Theirs must last
    bool restart = false;                            ///< another value asks for a new start: it cannot change in the middle of a run
};

}  // namespace splat
