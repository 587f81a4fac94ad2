// Clusters of vectors that a device finds, against those of the processor and what they promise.
#include <splatwright/convert/device_clusters.h>

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include "support/gpu_scene.h"
#include "support/some_vectors.h"
#include "support/test_device.h"

namespace splat {
namespace {

VectorView viewOf(const std::vector<float>& vectors, size_t dimensions) {
    return {.first = vectors.data(), .count = vectors.size() / dimensions, .dimensions = dimensions, .stride = dimensions};
}

VectorClusters clustersOf(const VectorView& view, size_t most) { return clusterOnDevice(testDevice(), testSort(), view, most); }

/// Labels are in range, every group has a vector, and centroids are the means.
void expectWhole(const std::vector<float>& vectors, size_t dimensions, const VectorClusters& found, size_t most) {
    const size_t groups = found.centroids.size() / dimensions;
    EXPECT_LE(groups, most);
    ASSERT_EQ(found.labels.size(), vectors.size() / dimensions);
    std::vector<double> sums(found.centroids.size()), counts(groups);
    for (size_t i = 0; i < found.labels.size(); ++i) {
        ASSERT_LT(found.labels[i], groups) << i;
        counts[found.labels[i]] += 1;
        for (size_t d = 0; d < dimensions; ++d) sums[found.labels[i] * dimensions + d] += static_cast<double>(vectors[i * dimensions + d]);
    }
    for (size_t k = 0; k < sums.size(); ++k) {
        ASSERT_GT(counts[k / dimensions], 0) << k / dimensions;
        ASSERT_NEAR(static_cast<double>(found.centroids[k]), sums[k] / counts[k / dimensions], 1e-5) << k;
    }
}

TEST(DeviceClusters, AreAsGoodAsTheProcessors) {
    for (const size_t dimensions : {size_t{9}, size_t{24}, size_t{45}}) {
        const std::vector<float> vectors = surface(3000, dimensions);
        const VectorView view = viewOf(vectors, dimensions);
        const VectorClusters found = clustersOf(view, 200);
        expectWhole(vectors, dimensions, found, 200);
        EXPECT_LE(errorOf(vectors, dimensions, found), 1.04 * errorOf(vectors, dimensions, clusterVectors(view, 200))) << dimensions;
    }
}

/// More cells than a vector is compared with: 18 of 64 groups each.
TEST(DeviceClusters, OfManyGroupsAreNearTheNearest) {
    constexpr size_t kCount = 4000, kDimensions = 9, kGroups = 1152;
    const std::vector<float> vectors = surface(kCount, kDimensions);
    const VectorClusters found = clustersOf(viewOf(vectors, kDimensions), kGroups);
    expectWhole(vectors, kDimensions, found, kGroups);
    double least = 0, error = 0;
    for (size_t i = 0; i < kCount; i += 4) {
        double nearest = std::numeric_limits<double>::max();
        for (size_t c = 0; c < found.centroids.size(); c += kDimensions)
            nearest = std::min(nearest, distanceOf(&vectors[i * kDimensions], &found.centroids[c], kDimensions));
        least += nearest;
        error += distanceOf(&vectors[i * kDimensions], &found.centroids[found.labels[i] * kDimensions], kDimensions);
    }
    EXPECT_LT(error, 1.02 * least);
    EXPECT_LE(errorOf(vectors, kDimensions, found),
              1.04 * errorOf(vectors, kDimensions, clusterVectors(viewOf(vectors, kDimensions), kGroups)));
}

/// Around the sizes of blocks, cells and branches of the tree.
TEST(DeviceClusters, OfAnySizeAreWhole) {
    for (const size_t count : {3u, 255u, 256u, 257u, 513u})
        for (const size_t most : {1u, 16u, 17u, 64u, 65u, 129u}) {
            const std::vector<float> vectors = surface(count, 3);
            const VectorClusters found = clustersOf(viewOf(vectors, 3), most);
            SCOPED_TRACE(testing::Message() << count << " vectors, " << most << " groups");
            expectWhole(vectors, 3, found, most);
            EXPECT_GE(found.centroids.size() / 3, std::min(count, most) * 95 / 100);
        }
}

TEST(DeviceClusters, AreTheSameEveryTime) {
    const std::vector<float> vectors = surface(2000, 24);
    const VectorClusters first = clustersOf(viewOf(vectors, 24), 300), second = clustersOf(viewOf(vectors, 24), 300);
    EXPECT_EQ(first.labels, second.labels);
    EXPECT_EQ(first.centroids, second.centroids);
}

TEST(DeviceClusters, EqualVectorsShareAGroupAndNoneIsEmpty) {
    std::vector<float> vectors, apart;  // one of four values in memory is not the vectors'
    for (int i = 0; i < 3000; ++i)
        for (int d = 0; d < 3; ++d) vectors.push_back(i % 50 == 0 ? static_cast<float>(i + d) : 7.3f);
    for (size_t k = 0; k < vectors.size(); k += 3) apart.insert(apart.end(), {vectors[k], vectors[k + 1], vectors[k + 2], 1e9f});
    const VectorClusters found = clustersOf({.first = apart.data(), .count = 3000, .dimensions = 3, .stride = 4}, 1024);
    EXPECT_EQ(errorOf(vectors, 3, found), 0);
    EXPECT_EQ(found.centroids.size(), 3 * 61u);
}

/// Most of a scene may have no coefficients: none of the first seeds is one of those that have some.
TEST(DeviceClusters, RareVectorsGetGroups) {
    constexpr size_t kCount = 10'000, kRare = 64;
    std::vector<float> vectors(3 * kCount);
    for (size_t s = 0; s < kRare; ++s) vectors[3 * (s * kCount / kRare + 1)] = static_cast<float>(s + 1);
    const VectorClusters found = clustersOf(viewOf(vectors, 3), 1024);
    EXPECT_EQ(found.centroids.size(), 3 * (1 + kRare));
    EXPECT_EQ(errorOf(vectors, 3, found), 0);
}

TEST(DeviceClusters, NoMoreVectorsThanGroupsAreKept) {
    const std::vector<float> vectors = surface(100, 9);
    EXPECT_EQ(clustersOf(viewOf(vectors, 9), 100).centroids, vectors);
}

LazyDevice failing(const std::function<void()>& fail) {
    return {.device = [fail]() -> gpu::Device& {
                fail();
                return testDevice();
            },
            .sort = []() -> const primitives::RadixSort& { return testSort(); }};
}

/// A palette needs no device, unless one was asked for.
TEST(DeviceClusters, TheProcessorClustersWhereThereIsNoDevice) {
    const std::vector<float> vectors = surface(50'001, 3);
    const VectorView many = viewOf(vectors, 3), few{.first = vectors.data(), .count = 500, .dimensions = 3, .stride = 3};
    const VectorClusters expected = clusterVectors(many, 64);
    int asked = 0;
    const LazyDevice noDevice = failing([&] {
        ++asked;
        throw Error("no Vulkan device");
    });
    const auto none = clusteringOn(noDevice);
    EXPECT_EQ(none(few, 64).labels, clusterVectors(few, 64).labels);
    EXPECT_EQ(asked, 0);
    EXPECT_EQ(none(many, 64).labels, expected.labels);
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(clusteringOn(noDevice, 0)(few, 64).labels, clusterVectors(few, 64).labels);
    EXPECT_EQ(asked, 2) << "a device that runs is worth it for few";
    if (testDevice().isSoftware()) {
        EXPECT_EQ(clusteringOn(failing([] {}))(many, 64).labels, expected.labels);
    }
    EXPECT_THROW(clusteringOn(failing([] { throw InputError("--device 7"); }))(many, 64), InputError);
}

}  // namespace
}  // namespace splat
