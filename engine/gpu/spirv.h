#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace splat::gpu {

/// Operands of a module's OpCapability instructions (numbers of the SPIR-V specification).
std::vector<uint32_t> capabilitiesOf(std::span<const uint32_t> code);

/// Adds SPV_KHR_maximal_reconvergence to all entry points: diverged lanes are guaranteed to reconverge where the source's control flow merges.
/// Returns modules that have it already unchanged.
std::vector<uint32_t> withMaximalReconvergence(std::span<const uint32_t> code);

}  // namespace splat::gpu
