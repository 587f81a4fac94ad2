#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace splat {

/// Vectors in memory, `stride` floats apart.
struct VectorView {
    const float* first;
    size_t count, dimensions, stride;

    std::span<const float> operator[](size_t i) const { return {first + i * stride, dimensions}; }
};

/// Groups of similar vectors, each with the mean of its vectors.
struct VectorClusters {
    std::vector<float> centroids;  ///< of `dimensions` values each; similar ones are mostly close to each other
    std::vector<uint32_t> labels;  ///< per vector, the index of its centroid
};

/// Divides vectors into at most `most` groups, so that the sum of squared distances between vectors and centroids is small. Every vector is a group
/// of its own if there are no more than `most`. The same for any number of threads.
VectorClusters clusterVectors(const VectorView& vectors, size_t most);

/// A way to do so.
using ClusterVectors = std::function<VectorClusters(const VectorView& vectors, size_t most)>;

}  // namespace splat
