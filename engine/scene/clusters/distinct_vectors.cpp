#include <splatwright/scene/clusters/distinct_vectors.h>

#include <string_view>
#include <unordered_map>

namespace splat {

std::optional<VectorClusters> distinctVectors(const VectorView& vectors, size_t most) {
    VectorClusters clusters;
    std::unordered_map<std::string_view, uint32_t> labels;  // by the bytes of a vector
    for (size_t i = 0; i < vectors.count; ++i) {
        const std::span vector = vectors[i];
        const std::string_view bytes(reinterpret_cast<const char*>(vector.data()), vector.size_bytes());
        const auto [found, isNew] = labels.try_emplace(bytes, static_cast<uint32_t>(labels.size()));
        if (labels.size() > most) return std::nullopt;
        if (isNew) clusters.centroids.insert(clusters.centroids.end(), vector.begin(), vector.end());
        clusters.labels.push_back(found->second);
    }
    return clusters;
}

}  // namespace splat
