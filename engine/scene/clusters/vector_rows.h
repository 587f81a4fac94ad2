#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace splat {

/// Vectors padded with zeros to a multiple of kLanes values, for loops that the compiler turns into SIMD instructions.
class VectorRows {
public:
    static constexpr size_t kLanes = 8;

    VectorRows() = default;
    VectorRows(size_t count, size_t dimensions)
        : count_(count), stride_((dimensions + kLanes - 1) / kLanes * kLanes), values_(count * stride_) {}

    size_t count() const { return count_; }
    size_t stride() const { return stride_; }
    std::span<float> operator[](size_t i) { return std::span(values_).subspan(i * stride_, stride_); }
    std::span<const float> operator[](size_t i) const { return std::span(values_).subspan(i * stride_, stride_); }

private:
    size_t count_ = 0, stride_ = 0;
    std::vector<float> values_;
};

/// The order of additions does not depend on the width of the machine's registers.
inline float squaredDistance(std::span<const float> a, std::span<const float> b) {
    std::array<float, VectorRows::kLanes> sums{};
    for (size_t d = 0; d < a.size(); d += sums.size())
        for (size_t lane = 0; lane < sums.size(); ++lane) {
            const float difference = a[d + lane] - b[d + lane];
            sums[lane] += difference * difference;
        }
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

/// Sets a centroid to the mean of some vectors (VectorRows or VectorView), of which there is at least one.
template <class Vectors>
void setMean(std::span<float> centroid, const Vectors& vectors, std::span<const uint32_t> members) {
    std::vector<double> sums(centroid.size());
    for (const uint32_t member : members) {
        const std::span<const float> vector = vectors[member];
        for (size_t d = 0; d < sums.size(); ++d) sums[d] += static_cast<double>(vector[d]);
    }
    const auto count = static_cast<double>(members.size());
    std::ranges::transform(sums, centroid.begin(), [&](double sum) { return static_cast<float>(sum / count); });
}

}  // namespace splat
