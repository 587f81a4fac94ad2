#pragma once

#include <splatwright/scene/clusters/vector_rows.h>

namespace splat {

/// A first division of vectors into groups.
struct ClusterTree {
    static constexpr size_t kBranch = 16;  ///< most parts of a node

    VectorRows centroids;          ///< in the order of the tree's leaves, so that neighbours in the list are mostly similar
    std::vector<uint32_t> order;   ///< indices of the vectors, group by group
    std::vector<uint32_t> labels;  ///< group of each entry of `order`
};

/// Divides vectors into `groups` by splitting them into a few parts, then the parts, and so on. A part gets groups by its squared error. Groups may
/// stay empty where vectors are equal.
ClusterTree clusterTree(const VectorRows& vectors, size_t dimensions, size_t groups);

/// How many groups each part of some vectors gets: at least one, unless it is empty, and at most one per vector; `errors` are sums of squared
/// distances to the part's centre. With d dimensions that matter, the error is least for the power d / (d + 2) of the parts' errors; measured,
/// powers from 0.6 to 1 differ by less than 0.1 %.
std::vector<size_t> sharesOf(std::span<const double> errors, std::span<const size_t> sizes, size_t groups);

}  // namespace splat
