#pragma once

#include <nlohmann/json.hpp>

#include <splatwright/explain/explanation.h>

namespace splat::explain {

/// What a page of it draws, without the pictures; README.md lists the keys. Splats are named by their place in the tile's list, and keys by their rank.
nlohmann::ordered_json toJson(const Explanation& explanation);

}  // namespace splat::explain
