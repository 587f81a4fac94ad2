#include "commands/flag_names.h"

#include <array>
#include <utility>

#include <splatwright/core/names.h>

namespace splat::app {

namespace {

/// Settings that messages of the engine quote, and how they are given to this program.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kFlags{{
    {"`allowOutside`", "--allow-outside"},
    {"`capture`", "--capture"},
    {"`colour_grid=true`", "--set colour_grid=true"},
    {"`colour_test=false`", "--set colour_test=false"},
    {"`device`", "--device"},
    {"`disabled`", "--disable"},
    {"`force`", "--force"},
    {"`format`", "--dataset"},
    {"`max_megapixels`", "train --set max_megapixels=N, eval --max-megapixels N"},
    {"`profile`", "--profile"},
    {"`test_every`", "--test-every"},
    {"`validate`", "--validate"},
}};

}  // namespace

std::string withFlags(std::string_view message) {
    std::string text = printable(message);
    for (const auto& [name, flag] : kFlags) {
        for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + flag.size()))
            text.replace(at, name.size(), flag);
    }
    return text;
}

}  // namespace splat::app
