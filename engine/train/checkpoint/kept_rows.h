#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <splatwright/train/checkpoint/checkpoint.h>

namespace splat {

/// Keeps the Gaussians whose flag is not 0, in their order, with all that these sections have of each: planes of one row per Gaussian.
void keepRows(Checkpoint& checkpoint, std::span<const std::string_view> sections, std::span<const uint8_t> kept);

}  // namespace splat
