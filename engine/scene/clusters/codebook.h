#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace splat {

/// The value of each byte.
using ByteValues = std::array<float, 256>;

struct WeightedValue {
    float value = 0;
    float weight = 1;  ///< above 0
};

/// 256 values in ascending order, so that the weighted sum of squared distances between the given values and the nearest of them is least. Throws
/// std::logic_error if there are no values.
ByteValues codebookOf(std::vector<WeightedValue> values);

/// The same of equal weights at about equal distances, where this leaves at most four times the error: bytes that take fewer bits in a file that is compressed,
/// because values that are frequent share one, and neighbours differ by less (Gish and Pierce, "Asymptotically efficient quantizing", 1968).
ByteValues evenCodebookOf(const std::vector<float>& values);

/// The byte whose value in a codebook of ascending values is nearest.
uint8_t nearestByte(const ByteValues& codebook, float value);

}  // namespace splat
