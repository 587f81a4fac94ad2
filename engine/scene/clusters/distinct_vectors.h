#pragma once

#include <optional>

#include <splatwright/scene/clusters/vector_clusters.h>

namespace splat {

/// Groups of equal vectors, in the order in which they come. Nothing if there are more than `most`, which takes no longer than to find so many.
std::optional<VectorClusters> distinctVectors(const VectorView& vectors, size_t most);

}  // namespace splat
