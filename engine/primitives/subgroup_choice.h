#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <splatwright/gpu/device.h>
#include <splatwright/primitives/variant_choice.h>

namespace splat::primitives {

/// The subgroup size of a device's kernels.
struct SubgroupChoice {
    uint32_t size = 0;                   ///< 0: no subgroup size can be pinned, or none gives correct results
    std::vector<VariantChoice> choices;  ///< of all sizes offered, for `info`
};

/// How sizes are tried.
struct SubgroupTrials {
    std::function<std::string(uint32_t size)> test;  ///< what is wrong with the results; empty if they are correct
    std::function<double(uint32_t size)> time;       ///< milliseconds
};

/// The fastest of the sizes with correct results; of one size alone, that one, without a trial. A size at which a trial throws Error counts as wrong.
SubgroupChoice chooseSubgroupSize(std::span<const uint32_t> sizes, const SubgroupTrials& trials);

/// Sorts, scans, compacts and builds a distribution with small inputs, in subgroups of this size; then a larger sort and scan are timed.
SubgroupTrials subgroupTrials(gpu::Device& device);

/// Chooses among the sizes that the device offers, which its kernels prefer from then on. The result of a device's first call is kept.
std::shared_ptr<const SubgroupChoice> settleSubgroupSize(gpu::Device& device);

}  // namespace splat::primitives
