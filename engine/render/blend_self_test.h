#pragma once

#include <string>

#include <splatwright/render/backward.h>

namespace splat {

// Kernels of the blend that compare lanes behind divergent code rely on lanes that come together again, which only the feature maximal-reconvergence
// promises. Where it is missing, what they give for a small scene is compared with kernels of one lane.

/// Whether the device's kernels have to be compared. Software devices run all lanes under one mask, so that these come together by construction.
bool needsBlendSelfTest(const gpu::Device& device);

/// Compares the forward blend with subgroup operations with the one without. Returns what is wrong with the picture; empty if it is correct or the
/// device has no such kernel.
std::string testBlend(gpu::Device& device, const primitives::RadixSort& sort);

/// Compares a method's gradients with those of tree-cas. Returns what is wrong with them; empty if they are correct.
std::string testAccumulation(gpu::Device& device, const primitives::RadixSort& sort, const AccumulationRow& row);

/// Tests the forward blend once per device that needs it. If it fails, the device does not run the kernel, and another takes its place.
void settleBlend(gpu::Device& device, const primitives::RadixSort& sort);

/// The same for a method's kernels with subgroup operations.
void settleAccumulation(gpu::Device& device, const primitives::RadixSort& sort, const AccumulationRow& row);

}  // namespace splat
