#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace splat {

/// The value of each byte.
using ByteValues = std::array<float, 256>;

/// 256 values in ascending order, so that the sum of squared distances between the given values and the nearest of them is least. Throws
/// std::logic_error if there are no values.
ByteValues codebookOf(std::vector<float> values);

/// The byte whose value in a codebook of ascending values is nearest.
uint8_t nearestByte(const ByteValues& codebook, float value);

}  // namespace splat
