#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace splat::gpu {

/// Operands of a module's OpCapability instructions (numbers of the SPIR-V specification).
std::vector<uint32_t> capabilitiesOf(std::span<const uint32_t> code);

/// The module with SPV_KHR_maximal_reconvergence for all its entry points: lanes that took different ways are promised to run together again
/// where the source's control flow meets. Unchanged if the module asks for it already.
std::vector<uint32_t> withMaximalReconvergence(std::span<const uint32_t> code);

}  // namespace splat::gpu
