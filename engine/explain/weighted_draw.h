#pragma once

#include <cstdint>
#include <vector>

#include <splatwright/primitives/radix_sort.h>
#include <splatwright/render/model.h>

namespace splat::explain {

/// A draw of Gaussians in proportion to weights, as strategy `mcmc` draws those that it divides, by its kernels.
struct WeightedDraw {
    uint32_t seed = 0;
    uint32_t dead = 0;                     ///< Gaussians that would be relocated
    std::vector<uint32_t> weights;         ///< per Gaussian: opacity in 2^-20, 0 for those that cannot be divided
    std::vector<uint64_t> sums;            ///< up to and including each Gaussian
    std::vector<uint64_t> targets;         ///< per draw: a random number below the sum of all
    std::vector<uint32_t> sources;         ///< per draw: the Gaussian whose interval has the target
    std::vector<uint32_t> multiplicities;  ///< per Gaussian: how often it was drawn

    uint64_t total() const { return sums.empty() ? 0 : sums.back(); }
};

/// A step of the binary search for a target: the first Gaussian in [low, high] whose sum exceeds it is looked for, and the one in the middle is asked.
struct SearchStep {
    uint32_t low = 0, high = 0, middle = 0;
    bool exceeds = false;  ///< the middle's sum exceeds the target: the search goes on at or below it
};

/// The draw of growth by this factor, at least of one.
WeightedDraw drawForDivision(gpu::Device& device, const GaussianModel& model, uint32_t seed, double growth);

/// The search that finds the source of a draw in its sums.
std::vector<SearchStep> searchOf(const WeightedDraw& draw, uint64_t target);

}  // namespace splat::explain
