#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include <splatwright/core/rng.h>
#include <splatwright/scene/clusters/vector_clusters.h>

namespace splat {

/// Vectors near a curved surface, as coefficients of a scene are, with some noise.
inline std::vector<float> surface(size_t count, size_t dimensions) {
    Rng rng(count);
    std::vector<float> vectors;
    for (size_t i = 0; i < count; ++i) {
        const double a = rng.uniform(-2, 2), b = rng.uniform(-2, 2), c = rng.uniform(-1, 1);
        for (size_t d = 0; d < dimensions; ++d) {
            const auto k = static_cast<double>(d);
            vectors.push_back(static_cast<float>(std::sin(a * (1 + 0.3 * k) + k) + 0.5 * std::cos(b * (1 + 0.2 * k)) + c / (1 + k) +
                                                 rng.uniform(-0.02, 0.02)));
        }
    }
    return vectors;
}

/// Squared.
inline double distanceOf(const float* a, const float* b, size_t dimensions) {
    double sum = 0;
    for (size_t d = 0; d < dimensions; ++d) {
        const double difference = static_cast<double>(a[d]) - static_cast<double>(b[d]);
        sum += difference * difference;
    }
    return sum;
}

/// The sum of squared distances to the centroids.
inline double errorOf(const std::vector<float>& vectors, size_t dimensions, const VectorClusters& clusters) {
    double error = 0;
    for (size_t i = 0; i < clusters.labels.size(); ++i)
        error += distanceOf(&vectors[i * dimensions], &clusters.centroids[clusters.labels[i] * dimensions], dimensions);
    return error;
}

}  // namespace splat
