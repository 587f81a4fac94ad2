#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include <splatwright/scene/clusters/codebook.h>
#include <splatwright/scene/clusters/distinct_vectors.h>
#include <splatwright/scene/clusters/vector_clusters.h>
#include "support/some_vectors.h"

namespace splat {
namespace {

std::vector<float> normals(size_t count, uint64_t seed) {
    Rng rng(seed);
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(rng.normal());
    return values;
}

std::vector<WeightedValue> alike(const std::vector<float>& values) {
    std::vector<WeightedValue> weighted;
    for (const float value : values) weighted.push_back({value});
    return weighted;
}

double errorOf(const std::vector<float>& values, const ByteValues& codebook) {
    double error = 0;
    for (const float value : values) {
        double least = INFINITY;
        for (const float entry : codebook) least = std::min(least, std::abs(static_cast<double>(value) - static_cast<double>(entry)));
        error += least * least;
    }
    return error;
}

/// The least error of any 256 entries: every division of the sorted values is tried.
double leastError(std::vector<float> values) {
    std::ranges::sort(values);
    std::vector<double> least(values.size() + 1, INFINITY);
    least[0] = 0;
    for (int entry = 0; entry < 256; ++entry) {
        std::vector<double> next(values.size() + 1, INFINITY);
        for (size_t first = 0; first < values.size(); ++first) {
            double mean = 0, error = 0;
            for (size_t end = first + 1; end <= values.size(); ++end) {
                const double difference = static_cast<double>(values[end - 1]) - mean;
                mean += difference / static_cast<double>(end - first);
                error += difference * (static_cast<double>(values[end - 1]) - mean);
                next[end] = std::min(next[end], least[first] + error);
            }
        }
        least = next;
    }
    return least.back();
}

TEST(Codebook, NoOtherIsNearerToTheValues) {
    for (const size_t count : {257u, 300u, 600u}) {
        const std::vector<float> values = normals(count, count);
        EXPECT_LE(errorOf(values, codebookOf(alike(values))), 1.0001 * leastError(values) + 1e-9) << count;
    }
}

/// A value of weight 3 counts as three of them.
TEST(Codebook, WeightsCountAsCopies) {
    for (const size_t count : {260u, 400u}) {
        const std::vector<float> values = normals(count, count);
        std::vector<WeightedValue> weighted;
        std::vector<float> copies;
        for (size_t i = 0; i < count; ++i) {
            const size_t times = i % 7 == 0 ? 6 : 1 + i % 2;
            weighted.push_back({values[i], static_cast<float>(times)});
            copies.insert(copies.end(), times, values[i]);
        }
        EXPECT_LE(errorOf(copies, codebookOf(weighted)), 1.0001 * leastError(copies) + 1e-9) << count;
    }
}

/// As areas of splats do, weights go over twelve orders of magnitude.
TEST(Codebook, HeavyValuesHaveEntriesOfTheirOwn) {
    std::vector<WeightedValue> values;
    for (const float value : normals(20'000, 5)) values.push_back({value, 1e-6f});
    for (size_t i = 0; i < 100; ++i) values.push_back({3 + 0.01f * static_cast<float>(i), 1e6f});
    const ByteValues codebook = codebookOf(values);
    for (size_t i = 20'000; i < values.size(); ++i)
        EXPECT_NEAR(codebook[nearestByte(codebook, values[i].value)], values[i].value, 1e-5) << i;
}

TEST(Codebook, FewValuesAreKept) {
    std::vector<float> values = normals(256, 1);
    const ByteValues codebook = codebookOf(alike(values)), even = evenCodebookOf(values);
    std::ranges::sort(values);
    EXPECT_TRUE(std::ranges::equal(codebook, values));
    EXPECT_EQ(even, codebook);
    for (const float value : values) EXPECT_EQ(codebook[nearestByte(codebook, value)], value);
    const ByteValues same = codebookOf(alike({3, 3, 3}));
    for (const float entry : same) EXPECT_EQ(entry, 3);
}

/// Values of either sign, of all sizes, some of them equal.
TEST(Codebook, IsInOrder) {
    Rng rng(4);
    std::vector<float> values;
    for (int i = 0; i < 256; ++i) {
        const auto value = static_cast<float>(std::ldexp(rng.uniform(-1, 1), i - 128));
        values.insert(values.end(), static_cast<size_t>(i % 3 + 1), value);
    }
    const ByteValues codebook = codebookOf(alike(values));
    EXPECT_TRUE(std::ranges::is_sorted(codebook));
    for (const float value : values) EXPECT_EQ(std::ranges::count(codebook, value), 1) << value;
}

/// Panter and Dite's error of the best 256 values for a normal distribution is 0.0064.
TEST(Codebook, ValuesFarOutCostTheOthersLittle) {
    std::vector<float> values = normals(20'000, 5);
    const double before = errorOf(values, codebookOf(alike(values)));
    EXPECT_LT(std::sqrt(before / 20'000), 0.0065);
    std::vector<float> more = values;
    for (const float far : {-1e6f, 1e6f, 2e6f}) more.push_back(far);
    EXPECT_LT(errorOf(values, codebookOf(alike(more))), 1.05 * before);
}

/// Bits per value that an ideal coder of bytes takes.
double entropyOf(const std::vector<float>& values, const ByteValues& codebook) {
    std::array<double, 256> counts{};
    for (const float value : values) ++counts[nearestByte(codebook, value)];
    double bits = 0;
    for (const double count : counts)
        if (count > 0) bits -= count * std::log2(count / static_cast<double>(values.size()));
    return bits / static_cast<double>(values.size());
}

/// A quarter of a bit is what theory says of a normal distribution between 3.3 deviations. One value far out at either end changes little.
TEST(Codebook, EvenOnesTakeFewerBits) {
    std::vector<float> values = normals(20'000, 5);
    for (const float far : {-1e3f, 1e3f}) {
        const ByteValues closest = codebookOf(alike(values)), even = evenCodebookOf(values);
        EXPECT_LT(entropyOf(values, even), entropyOf(values, closest) - 0.2);
        EXPECT_LT(errorOf(values, even), 2 * errorOf(values, closest));
        values.push_back(far);
    }
}

TEST(Codebook, EvenOnesAreTheClosestWhereTheyWouldBeMuchWorse) {
    std::vector<float> values = normals(20'000, 5);
    for (size_t i = 0; i < values.size(); i += 100) values[i] *= 1000;
    EXPECT_EQ(evenCodebookOf(values), codebookOf(alike(values)));
}

TEST(Codebook, NearestByteIsTheNearest) {
    const ByteValues codebook = codebookOf(alike(normals(5000, 2)));
    Rng rng(3);
    for (int i = 0; i < 2000; ++i) {
        const auto value = i < 256 ? codebook[static_cast<size_t>(i)] : static_cast<float>(rng.uniform(-7, 7));
        float least = INFINITY;
        for (const float entry : codebook) least = std::min(least, std::abs(entry - value));
        EXPECT_FLOAT_EQ(std::abs(codebook[nearestByte(codebook, value)] - value), least) << value;
    }
}

/// Lloyd's algorithm with all comparisons, from vectors at random.
VectorClusters lloyd(const std::vector<float>& vectors, size_t dimensions, size_t groups, int passes) {
    const size_t count = vectors.size() / dimensions;
    VectorClusters clusters{.centroids = {}, .labels = std::vector<uint32_t>(count)};
    std::vector<size_t> order(count);
    std::iota(order.begin(), order.end(), size_t{0});
    Rng rng(1);
    for (size_t i = 0; i < groups; ++i) {
        std::swap(order[i], order[i + static_cast<size_t>(rng.uniform() * static_cast<double>(count - i))]);
        clusters.centroids.insert(clusters.centroids.end(), &vectors[order[i] * dimensions], &vectors[order[i] * dimensions] + dimensions);
    }
    for (int pass = 0; pass < passes; ++pass) {
        std::vector<double> sums(groups * dimensions), counts(groups);
        for (size_t i = 0; i < count; ++i) {
            double least = INFINITY;
            for (uint32_t c = 0; c < groups; ++c) {
                const double distance = distanceOf(&vectors[i * dimensions], &clusters.centroids[c * dimensions], dimensions);
                if (distance < least) least = distance, clusters.labels[i] = c;
            }
            counts[clusters.labels[i]] += 1;
            for (size_t d = 0; d < dimensions; ++d)
                sums[clusters.labels[i] * dimensions + d] += static_cast<double>(vectors[i * dimensions + d]);
        }
        for (size_t k = 0; k < sums.size(); ++k)
            if (counts[k / dimensions] > 0) clusters.centroids[k] = static_cast<float>(sums[k] / counts[k / dimensions]);
    }
    return clusters;
}

TEST(VectorClusters, AreNoWorseThanLloydsAlgorithm) {
    for (const size_t dimensions : {size_t{9}, size_t{24}, size_t{45}}) {
        const std::vector<float> vectors = surface(2000, dimensions);
        const VectorView view{.first = vectors.data(), .count = 2000, .dimensions = dimensions, .stride = dimensions};
        const VectorClusters found = clusterVectors(view, 150);
        EXPECT_LE(found.centroids.size(), 150 * dimensions);
        EXPECT_LE(errorOf(vectors, dimensions, found), errorOf(vectors, dimensions, lloyd(vectors, dimensions, 150, 10))) << dimensions;
    }
}

/// More cells of centroids than are searched for neighbours.
TEST(VectorClusters, ManyGroupsAreNearTheNearest) {
    constexpr size_t kCount = 20'000, kDimensions = 9;
    const std::vector<float> vectors = surface(kCount, kDimensions);
    const VectorClusters found =
        clusterVectors({.first = vectors.data(), .count = kCount, .dimensions = kDimensions, .stride = kDimensions}, 8192);
    double least = 0;
    for (size_t i = 0; i < kCount; i += 20) {
        double nearest = INFINITY;
        for (size_t c = 0; c < found.centroids.size(); c += kDimensions)
            nearest = std::min(nearest, distanceOf(&vectors[i * kDimensions], &found.centroids[c], kDimensions));
        least += nearest;
    }
    double error = 0;
    for (size_t i = 0; i < kCount; i += 20)
        error += distanceOf(&vectors[i * kDimensions], &found.centroids[found.labels[i] * kDimensions], kDimensions);
    EXPECT_LT(error, 1.02 * least);
}

TEST(VectorClusters, CentroidsAreTheMeansOfTheirVectors) {
    const std::vector<float> vectors = surface(3000, 9);
    const VectorClusters found = clusterVectors({.first = vectors.data(), .count = 3000, .dimensions = 9, .stride = 9}, 100);
    std::vector<double> sums(found.centroids.size()), counts(found.centroids.size() / 9);
    for (size_t i = 0; i < 3000; ++i) {
        counts[found.labels[i]] += 1;
        for (size_t d = 0; d < 9; ++d) sums[found.labels[i] * 9 + d] += static_cast<double>(vectors[9 * i + d]);
    }
    for (size_t k = 0; k < sums.size(); ++k) EXPECT_NEAR(static_cast<double>(found.centroids[k]), sums[k] / counts[k / 9], 1e-5);
}

TEST(VectorClusters, EqualVectorsShareAGroupAndNoneIsEmpty) {
    std::vector<float> vectors;
    for (int i = 0; i < 3000; ++i)
        for (int d = 0; d < 3; ++d) vectors.push_back(i % 50 == 0 ? static_cast<float>(i + d) : 7.0f);
    // One of four values in memory is not the vectors'.
    std::vector<float> apart;
    for (size_t k = 0; k < vectors.size(); k += 3) apart.insert(apart.end(), {vectors[k], vectors[k + 1], vectors[k + 2], 1e9f});
    const VectorClusters found = clusterVectors({.first = apart.data(), .count = 3000, .dimensions = 3, .stride = 4}, 1024);
    EXPECT_EQ(errorOf(vectors, 3, found), 0);
    std::vector<int> used(found.centroids.size() / 3);
    for (const uint32_t label : found.labels) used.at(label) = 1;
    EXPECT_TRUE(std::ranges::all_of(used, [](int is) { return is == 1; }));
}

/// Most of a scene may have no coefficients. The first division looks at 2048 vectors, all of which are equal here.
TEST(VectorClusters, WhatASampleMissesGetsItsGroups) {
    constexpr size_t kCount = 100'000, kSampled = 2048;
    std::vector<float> vectors(3 * kCount);
    for (size_t s = 0; s < kSampled; s += 32) vectors[3 * (s * kCount / kSampled + 1)] = static_cast<float>(s + 1);
    const VectorClusters found = clusterVectors({.first = vectors.data(), .count = kCount, .dimensions = 3, .stride = 3}, 1024);
    EXPECT_EQ(found.centroids.size(), 3 * (1 + kSampled / 32));
    EXPECT_EQ(errorOf(vectors, 3, found), 0);
}

TEST(VectorClusters, NoMoreVectorsThanGroupsAreKept) {
    const std::vector<float> vectors = surface(100, 9);
    const VectorClusters found = clusterVectors({.first = vectors.data(), .count = 100, .dimensions = 9, .stride = 9}, 100);
    EXPECT_EQ(found.centroids, vectors);
    EXPECT_EQ(errorOf(vectors, 9, found), 0);
}

TEST(DistinctVectors, AreGroupsInTheirOrderUnlessThereAreTooMany) {
    const std::vector<float> numbers{1, 2, 0, 3, 4, 0, 1, 2, 9, -1, 2, 0, 3, 4, 5};  // the third of each belongs to no vector
    const VectorView vectors{.first = numbers.data(), .count = 5, .dimensions = 2, .stride = 3};
    const auto found = distinctVectors(vectors, 3);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->centroids, (std::vector<float>{1, 2, 3, 4, -1, 2}));
    EXPECT_EQ(found->labels, (std::vector<uint32_t>{0, 1, 0, 2, 1}));
    EXPECT_FALSE(distinctVectors(vectors, 2));
}

}  // namespace
}  // namespace splat
