#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <splatwright/primitives/cdf.h>
#include <splatwright/render/model.h>

namespace splat::explain {

/// A draw of Gaussians in proportion to weights, as strategy `mcmc` draws those that it divides, by its kernels.
struct WeightedDraw {
    uint32_t dead = 0;                     ///< Gaussians that would be relocated; 0 if they were not counted
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

/// The last draw of a strategy: the distribution as it was drawn from, its Gaussians by the indices that they had then. None if nothing has been drawn.
std::optional<WeightedDraw> lastDraw(gpu::Device& device, const primitives::CdfTable& table);

/// The search that finds the source of a draw in its sums.
std::vector<SearchStep> searchOf(const WeightedDraw& draw, uint64_t target);

}  // namespace splat::explain
