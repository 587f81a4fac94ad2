#pragma once

#include <splatwright/scene/clusters/vector_rows.h>

namespace splat {

/// A first division of vectors into groups.
struct ClusterTree {
    VectorRows centroids;          ///< in the order of the tree's leaves, so that neighbours in the list are mostly similar
    std::vector<uint32_t> order;   ///< indices of the vectors, group by group
    std::vector<uint32_t> labels;  ///< group of each entry of `order`
};

/// Divides vectors into `groups` by splitting them into a few parts, then the parts, and so on. A part gets groups by its squared error. Groups may
/// stay empty where vectors are equal.
ClusterTree clusterTree(const VectorRows& vectors, size_t dimensions, size_t groups);

}  // namespace splat
