#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <splatwright/primitives/bench.h>

namespace splat::app {

/// An object per row, as `bench --json` writes them.
nlohmann::json toJson(const std::vector<primitives::BenchRow>& rows);

}  // namespace splat::app
