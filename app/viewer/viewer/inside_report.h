#pragma once

#include <nlohmann/json.hpp>

#include "viewer/viewer/inside.h"

namespace splat::app {

/// What has been read for the panel "See inside"; null if nothing has. Splats of the tile's list are named by their index in the world's buffers, like `gaussian`.
nlohmann::ordered_json insideJson(const Inside& inside);

}  // namespace splat::app
