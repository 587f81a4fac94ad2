#pragma once

#include <cstdint>
#include <vector>

#include <splatwright/render/backward.h>

namespace splat {

/// How many lanes of a subgroup blend a splat of their tile's list, in the backward pass with one thread per pixel.
struct LaneCounts {
    std::vector<uint64_t> pairs;  ///< of a subgroup and a splat, by active lanes: 0 to the subgroup's size
    uint64_t several = 0;         ///< pairs whose active lanes update more than one splat
};

/// Subgroup size of the methods that sum over a subgroup; 0 if the device cannot run them.
uint32_t summedLanes(const gpu::Device& device);

// After a forward pass with the job's frame buffers; both wait for their result.

/// Counts on a device with summedLanes().
LaneCounts countLanes(gpu::Device& device, const BackwardJob& job);
/// Atomic additions that a method with AccumulationRow::count makes to the words of all gradients; overwrites the job's gradients.
uint64_t countAdditions(gpu::Device& device, const AccumulationRow& row, const BackwardJob& job);

}  // namespace splat
