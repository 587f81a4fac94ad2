#pragma once

#include <splatwright/convert/operation.h>
#include <splatwright/scene/clusters/vector_clusters.h>

namespace splat {

/// Vectors of at most this many values are clustered on a device.
inline constexpr size_t kMostClusteredDimensions = 45;

/// clusterVectors() on a device: the same first division, and then every vector is compared with a thousand centroids. The same input gives the same
/// clusters. Throws OutOfMemory.
VectorClusters clusterOnDevice(gpu::Device& device, const primitives::RadixSort& sort, const VectorView& vectors, size_t most);

/// Numbers of vectors that the processor clusters sooner than a device starts.
inline constexpr size_t kClusteredBeforeADeviceStarts = 50'000;

/// clusterOnDevice(), or clusterVectors() for up to `few` vectors, and where there is no device for it. The device is opened when it is needed.
ClusterVectors clusteringOn(const LazyDevice& device, size_t few = kClusteredBeforeADeviceStarts);

}  // namespace splat
