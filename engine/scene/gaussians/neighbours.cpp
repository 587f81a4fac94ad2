#include <splatwright/scene/gaussians/neighbours.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include <nanoflann.hpp>

#include <splatwright/core/median.h>
#include <splatwright/core/threads.h>

namespace splat {

namespace {

struct PointSource {
    const std::vector<glm::vec3>& points;

    size_t kdtree_get_point_count() const { return points.size(); }                                 // NOLINT: nanoflann's name
    float kdtree_get_pt(size_t i, size_t axis) const { return points[i][static_cast<int>(axis)]; }  // NOLINT
    template <class Box>
    bool kdtree_get_bbox(Box&) const {  // NOLINT
        return false;
    }
};
using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, PointSource>, PointSource, 3, uint32_t>;

/// `indices` and `squared` have one element more than neighbours are wanted: the point itself is the first.
float meanSquaredDistance(const Tree& tree, const glm::vec3& point, std::vector<uint32_t>& indices, std::vector<float>& squared) {
    const size_t found = tree.knnSearch(&point.x, squared.size(), indices.data(), squared.data());
    if (found < 2) return std::numeric_limits<float>::infinity();
    float sum = 0;
    for (size_t i = 1; i < found; ++i) sum += squared[i];
    return sum / static_cast<float>(found - 1);
}

}  // namespace

std::vector<float> squaredNeighbourDistances(const std::vector<glm::vec3>& points, size_t neighbours) {
    constexpr size_t kSlice = 4096;  // points per thread and step
    const PointSource source{points};
    const Tree tree(3, source);
    std::vector<float> distances(points.size());
    parallelSlices(points.size(), kSlice, [&](size_t begin, size_t end) {
        std::vector<uint32_t> indices(neighbours + 1);
        std::vector<float> squared(neighbours + 1);
        for (size_t i = begin; i < end; ++i) distances[i] = meanSquaredDistance(tree, points[i], indices, squared);
    });
    return distances;
}

std::vector<float> isolation(const std::vector<glm::vec3>& points) {
    constexpr size_t kNeighbours = 8;
    if (points.size() <= kNeighbours) return std::vector<float>(points.size());
    std::vector<float> distances = squaredNeighbourDistances(points, kNeighbours);
    const float median = medianOf(distances);
    for (float& distance : distances) distance = std::sqrt(distance / median);
    return distances;
}

}  // namespace splat
