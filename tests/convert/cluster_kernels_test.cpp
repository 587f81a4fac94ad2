// The kernels of clusters, each against a reference in double precision.
#include <algorithm>
#include <cstring>
#include <numeric>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include <splatwright/gpu/commands.h>
#include <splatwright/shared/convert.h>
#include "kernels/fill_empty_groups.h"
#include "kernels/group_means.h"
#include "kernels/group_starts.h"
#include "kernels/near_cells.h"
#include "kernels/nearest_centroids.h"
#include "kernels/seed_centroids.h"
#include "support/some_vectors.h"
#include "support/test_device.h"

namespace splat {
namespace {

constexpr size_t kRow = size_t{4} * shared::kRowQuads;

template <class T>
gpu::Buffer bufferOf(const std::vector<T>& values) {
    gpu::Buffer buffer = testDevice().buffer<T>("values of a test", values.size());
    testDevice().upload(buffer, values);
    return buffer;
}

gpu::Buffer rowBuffer(const std::vector<float>& rows) {
    std::vector<glm::vec4> quads(rows.size() / 4);
    std::memcpy(quads.data(), rows.data(), rows.size() * sizeof(float));
    return bufferOf(quads);
}

double distance(const std::vector<float>& a, size_t i, const std::vector<float>& b, size_t j) {
    return distanceOf(&a[i * kRow], &b[j * kRow], kRow);
}

std::vector<uint32_t> shuffled(size_t count, uint64_t seed) {
    std::vector<uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    Rng rng(seed);
    for (size_t i = count; i > 1; --i) std::swap(order[i - 1], order[static_cast<size_t>(rng.uniform() * static_cast<double>(i))]);
    return order;
}

TEST(ClusterKernels, NearestCentroidOfTheCellsRanges) {
    constexpr size_t kCells = 5, kRanges = 3, kGroups = 60;
    for (const size_t count : {1u, 255u, 256u, 257u, 700u}) {
        const std::vector<float> vectors = surface(count, kRow), centroids = surface(kGroups, kRow);
        const std::vector<uint32_t> order = shuffled(count, count);
        Rng rng(count);
        const auto below = [&](size_t end) { return static_cast<uint32_t>(rng.uniform() * static_cast<double>(end)); };
        std::vector<uint32_t> cells(kGroups), groups(count);
        std::vector<glm::uvec2> ranges;
        for (uint32_t& cell : cells) cell = below(kCells);
        for (uint32_t& group : groups) group = below(kGroups);
        for (size_t r = 0; r < kCells * kRanges; ++r) {
            const uint32_t first = below(kGroups);
            ranges.emplace_back(first, first + (r % kRanges == 1 ? 0 : 1 + below(kGroups - first)));  // some are empty
        }
        const gpu::Buffer nearest = bufferOf(groups), errors = testDevice().buffer<float>("errors", count), v = rowBuffer(vectors),
                          o = bufferOf(order), m = rowBuffer(centroids), l = bufferOf(cells), listed = bufferOf(ranges);
        testDevice().run("nearest", [&](gpu::Commands& c) {
            c.dispatch(kernels::nearest_centroids{.vectors = v,
                                                  .order = o,
                                                  .centroids = m,
                                                  .cells = l,
                                                  .ranges = listed,
                                                  .groups = nearest,
                                                  .errors = errors,
                                                  .count = static_cast<uint32_t>(count),
                                                  .rangesPerCell = kRanges},
                       count);
        });
        const auto found = testDevice().download<uint32_t>(nearest, count);
        const auto error = testDevice().download<float>(errors, count);
        for (size_t at = 0; at < count; ++at) {
            std::vector<double> distances;
            for (size_t r = 0; r < kRanges; ++r) {
                const glm::uvec2 range = ranges[cells[groups[at]] * kRanges + r];
                for (uint32_t c = range.x; c < range.y; ++c) distances.push_back(distance(vectors, order[at], centroids, c));
            }
            const double least = std::ranges::min(distances);
            ASSERT_LT(found[at], kGroups);
            EXPECT_NEAR(distance(vectors, order[at], centroids, found[at]), least, 1e-5 * least) << at;
            EXPECT_NEAR(static_cast<double>(error[at]), least, 1e-5 * least) << at;
        }
    }
}

/// Vectors in groups: sizes around the number of vectors that a block takes at a time, and none.
struct Grouped {
    explicit Grouped(std::vector<uint32_t> groupSizes) : sizes(std::move(groupSizes)) {
        for (const uint32_t size : sizes) starts.push_back(starts.back() + size);
        vectors = surface(starts.back(), kRow);
        order = shuffled(starts.back(), 3);
        Rng rng(4);
        for (size_t at = 0; at < order.size(); ++at) errors.push_back(static_cast<float>(rng.uniform()));
        for (uint32_t group = 0; group < sizes.size(); ++group) groups.insert(groups.end(), sizes[group], group);
    }

    std::vector<uint32_t> sizes, starts{0}, order, groups;
    std::vector<float> vectors, errors;
};

const std::vector<uint32_t> kSizes{3, 0, 1, 20, 21, 22, 0, 0, 255, 256, 257, 700, 0};

TEST(ClusterKernels, StartsOfGroups) {
    for (const size_t more : {0u, 243u, 244u}) {  // groups, so that starts fill a block, or not
        std::vector<uint32_t> sizes = kSizes;
        sizes.resize(sizes.size() + more, 1);
        const Grouped g(sizes);
        const auto groupCount = static_cast<uint32_t>(sizes.size()), count = static_cast<uint32_t>(g.groups.size());
        const gpu::Buffer groups = bufferOf(g.groups), starts = testDevice().buffer<uint32_t>("starts", groupCount + 1);
        testDevice().run("starts", [&](gpu::Commands& c) {
            c.dispatch(kernels::group_starts{.groups = groups, .starts = starts, .count = count, .groupCount = groupCount}, groupCount + 1);
        });
        EXPECT_EQ(testDevice().download<uint32_t>(starts, groupCount + 1), g.starts);
    }
}

TEST(ClusterKernels, MeansAndErrorsOfGroups) {
    const Grouped g(kSizes);
    const size_t groupCount = kSizes.size();
    const std::vector<float> before = surface(groupCount, kRow);
    const gpu::Buffer vectors = rowBuffer(g.vectors), order = bufferOf(g.order), starts = bufferOf(g.starts), errors = bufferOf(g.errors),
                      centroids = rowBuffer(before), groupErrors = testDevice().buffer<shared::GroupErrors>("errors", groupCount);
    testDevice().run("means", [&](gpu::Commands& c) {
        c.dispatchGroups(kernels::group_means{.vectors = vectors,
                                              .order = order,
                                              .starts = starts,
                                              .errors = errors,
                                              .centroids = centroids,
                                              .groupErrors = groupErrors,
                                              .groupCount = static_cast<uint32_t>(groupCount)},
                         groupCount);
    });
    const auto means = testDevice().download<float>(centroids.words(), groupCount * kRow);
    const auto found = testDevice().download<shared::GroupErrors>(groupErrors, groupCount);
    for (size_t group = 0; group < groupCount; ++group) {
        const size_t first = g.starts[group], size = kSizes[group];
        double squares = 0;
        size_t farthest = first;
        for (size_t at = first; at < first + size; ++at) {
            squares += static_cast<double>(g.errors[at]);
            if (g.errors[at] > g.errors[farthest]) farthest = at;
        }
        EXPECT_NEAR(static_cast<double>(found[group].squares), squares, 1e-5 * squares) << group;
        EXPECT_EQ(found[group].largest, size > 0 ? g.errors[farthest] : -1) << group;
        if (size > 0) {
            EXPECT_EQ(found[group].farthest, g.order[farthest]) << group;
        }
        for (size_t k = 0; k < kRow; ++k) {
            double mean = 0;
            for (size_t at = first; at < first + size; ++at)
                mean += static_cast<double>(g.vectors[g.order[at] * kRow + k]) / static_cast<double>(size);
            const double expected = size > 0 ? mean : static_cast<double>(before[group * kRow + k]);
            EXPECT_NEAR(static_cast<double>(means[group * kRow + k]), expected, 1e-5) << group << " " << k;
        }
    }
}

/// Two cells of which one has two empty groups and three that can give, and one can give to none; a group gives one vector only.
TEST(ClusterKernels, EmptyGroupsGetTheFarthestVectors) {
    const std::vector<uint32_t> sizes{5, 0, 4, 1, 0, 3, 1, 0, 2}, starts{0, 5, 5, 9, 10, 10, 13, 14, 14, 16};
    const std::vector<glm::uvec2> ranges{{0, 6}, {6, 9}, {6, 9}, {0, 6}};
    const std::vector<shared::GroupErrors> errors{{0, 2, 4},  {0, -1, 0}, {0, 3, 7},  {0, 9, 9}, {0, -1, 0},
                                                  {0, 1, 11}, {0, 4, 13}, {0, -1, 0}, {0, 0, 15}};
    const std::vector<float> vectors = surface(16, kRow), before = surface(9, kRow);
    const gpu::Buffer v = rowBuffer(vectors), s = bufferOf(starts), r = bufferOf(ranges), centroids = rowBuffer(before),
                      e = bufferOf(errors);
    testDevice().run("fill", [&](gpu::Commands& c) {
        c.dispatch(
            kernels::fill_empty_groups{
                .vectors = v, .starts = s, .ranges = r, .centroids = centroids, .groupErrors = e, .cellCount = 2, .rangesPerCell = 2},
            2);
    });
    const auto after = testDevice().download<float>(centroids.words(), 9 * kRow);
    for (size_t group = 0; group < 9; ++group) {
        const auto row = [&](const std::vector<float>& rows, size_t i) { return std::vector(&rows[i * kRow], &rows[i * kRow] + kRow); };
        const std::vector<float> expected = group == 1 ? row(vectors, 7) : group == 4 ? row(vectors, 4) : row(before, group);
        EXPECT_EQ(row(after, group), expected) << group;
    }
}

TEST(ClusterKernels, CellsNearEachOther) {
    for (const uint32_t cells : {1u, 3u, 255u, 256u, 257u, shared::kMostGroupCells}) {
        std::vector<float> centres = surface(cells, kRow);
        if (cells > 7) std::copy_n(centres.begin(), kRow, centres.begin() + 7 * kRow);  // as near as each other
        const uint32_t each = std::min(cells, shared::kNearCells), groups = cells * shared::kCellGroups - 5, some = std::min(cells, 8u);
        const gpu::Buffer c = rowBuffer(centres), ranges = testDevice().buffer<glm::uvec2>("ranges", size_t{cells} * each);
        testDevice().run("near", [&](gpu::Commands& commands) {
            commands.dispatchGroups(
                kernels::near_cells{.centres = c, .ranges = ranges, .cellCount = cells, .groupCount = groups, .rangesPerCell = each}, some);
        });
        const auto found = testDevice().download<glm::uvec2>(ranges, size_t{cells} * each);
        for (uint32_t cell = 0; cell < some; ++cell) {
            std::vector<double> nearest;
            for (uint32_t other = 0; other < cells; ++other) nearest.push_back(distance(centres, cell, centres, other));
            std::ranges::sort(nearest);
            std::vector<uint32_t> listed;
            for (uint32_t n = 0; n < each; ++n) {
                const glm::uvec2 range = found[cell * each + n];
                listed.push_back(range.x / shared::kCellGroups);
                ASSERT_EQ(range, glm::uvec2(listed[n] * shared::kCellGroups, std::min((listed[n] + 1) * shared::kCellGroups, groups)));
                EXPECT_NEAR(distance(centres, cell, centres, listed[n]), nearest[n], 1e-5 * nearest[n]) << cell << " " << n;
            }
            EXPECT_EQ(listed[0], cell);
            std::ranges::sort(listed);
            EXPECT_EQ(std::ranges::adjacent_find(listed), listed.end()) << cell;
        }
    }
}

TEST(ClusterKernels, SeedsAreTheListedVectors) {
    const std::vector<float> vectors = surface(50, kRow);
    const std::vector<uint32_t> order = shuffled(50, 1), places = shuffled(43, 2);  // 43 rows: 516 quads, two blocks and four
    const gpu::Buffer v = rowBuffer(vectors), o = bufferOf(order), p = bufferOf(places), seeds = rowBuffer(surface(44, kRow));
    testDevice().run("seed", [&](gpu::Commands& c) {
        const uint32_t quads = 43 * shared::kRowQuads;
        c.dispatch(kernels::seed_centroids{.vectors = v, .order = o, .places = p, .centroids = seeds, .quads = quads}, quads);
    });
    const auto found = testDevice().download<float>(seeds.words(), 44 * kRow);
    for (size_t s = 0; s < 43; ++s) EXPECT_EQ(distance(found, s, vectors, order[places[s]]), 0) << s;
    EXPECT_EQ(distance(found, 43, surface(44, kRow), 43), 0);
}

}  // namespace
}  // namespace splat
