#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include <splatwright/core/threads.h>
#include <splatwright/scene/clusters/distinct_vectors.h>
#include <splatwright/scene/clusters/group_members.h>
#include <splatwright/scene/clusters/vector_rows.h>
#include <splatwright/scene/formats/quantised.h>
#include <splatwright/scene/formats/sog/sog.h>
#include <splatwright/scene/formats/sog/splat_area.h>

namespace splat {
namespace {

constexpr size_t kSlice = 4096;    // splats per thread and step
constexpr size_t kOwnEntries = 2;  // at least one of so many entries belongs to a single splat

/// The palette's size that splat-transform chooses: a power of two. Few splats have an entry each.
size_t paletteSizeFor(size_t splats) {
    constexpr size_t kFew = 1024;
    return std::min(kSogMostEntries, kFew * std::max<size_t>(1, std::bit_floor(splats / kFew)));
}

/// What sharing an entry costs a splat's share of a picture: the squared error of its coefficients, times its area and opacity.
std::vector<float> costsOf(const Gaussians& gaussians, const VectorView& view, const VectorClusters& clusters) {
    std::vector<float> costs(view.count);
    parallelEach(view.count, kSlice, [&](size_t i) {
        const std::span vector = view[i];
        const auto centroid = clusters.centroids.begin() + static_cast<ptrdiff_t>(clusters.labels[i] * view.dimensions);
        const float squares = std::transform_reduce(vector.begin(), vector.end(), centroid, 0.0f, std::plus<>{},
                                                    [](float a, float b) { return (a - b) * (a - b); });
        costs[i] = squares * std::exp(logArea(gaussians.logScales[i])) * opacityOfLogit(gaussians.logitOpacities[i]);
    });
    return costs;
}

/// The splats of the largest costs, at most `most`, and none that costs nothing; per splat, whether it is one.
std::vector<bool> dearest(const std::vector<float>& costs, size_t most) {
    std::vector<uint32_t> order(costs.size());
    std::iota(order.begin(), order.end(), 0u);
    most = std::min(most, order.size());
    std::ranges::nth_element(order, order.begin() + static_cast<ptrdiff_t>(most),
                             [&](uint32_t a, uint32_t b) { return std::pair(-costs[a], a) < std::pair(-costs[b], b); });
    std::vector<bool> chosen(costs.size());
    for (const uint32_t i : std::span(order).first(most)) chosen[i] = costs[i] > 0;
    return chosen;
}

/// Gives some vectors a group of their own, behind the one that they leave, whose centroid becomes the mean of those that stay.
VectorClusters withOwnGroups(const VectorView& view, const VectorClusters& clusters, const std::vector<bool>& own) {
    VectorClusters result{.centroids = {}, .labels = std::vector<uint32_t>(view.count)};
    const auto add = [&](std::span<const uint32_t> members) {
        if (members.empty()) return;
        const size_t end = result.centroids.size();
        result.centroids.resize(end + view.dimensions);
        setMean(std::span(result.centroids).subspan(end), view, members);
        for (const uint32_t i : members) result.labels[i] = static_cast<uint32_t>(end / view.dimensions);
    };
    const size_t count = clusters.centroids.size() / view.dimensions;
    GroupMembers groups(clusters.labels, count);
    for (size_t g = 0; g < count; ++g) {
        const std::span members = groups[g];
        const auto leaving = std::ranges::stable_partition(members, [&](uint32_t i) { return !own[i]; });
        add({members.begin(), leaving.begin()});
        for (const uint32_t& i : leaving) add({&i, 1});
    }
    return result;
}

}  // namespace

VectorClusters sogPalette(const std::filesystem::path& path, const Gaussians& gaussians, const ClusterVectors& cluster) {
    requireWritable(path, gaussians);
    const size_t each = shCoefficients(gaussians.shDegree);
    if (each == 1) return {};
    const VectorView view{.first = &gaussians.sh[1].x, .count = gaussians.count(), .dimensions = 3 * (each - 1), .stride = 3 * each};
    const size_t most = paletteSizeFor(gaussians.count());
    // What has been a SOG before has equal coefficients, which stay as they are.
    if (std::optional<VectorClusters> distinct = distinctVectors(view, most)) return *std::move(distinct);
    // A few splats cover most of some pictures, and their errors show most.
    const VectorClusters shared = cluster(view, most - most / kOwnEntries);
    const size_t own = most - shared.centroids.size() / view.dimensions;
    return withOwnGroups(view, shared, dearest(costsOf(gaussians, view, shared), own));
}

}  // namespace splat
