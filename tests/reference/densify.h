#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <splatwright/scene/gaussians/gaussians.h>

/// What the densifiers decide, in double precision and whole numbers, one gaussian after the other.
namespace splat::reference {

enum class Fate { same, clone, part };

/// Where a gaussian of the refined model comes from.
struct Offspring {
    uint32_t parent;
    Fate fate;
    bool operator==(const Offspring&) const = default;
};

/// Sums over the fragments of all views, in the words of shared::BlendSums.
struct Blended {
    double weight = 0, value = 0, square = 0, count = 0;
    bool operator==(const Blended&) const = default;
};

struct Seen {
    double gradient = 0;  ///< sum over views
    double views = 0;
    double radius = 0;
    Blended blended{};
};

/// The standard recipe's thresholds, in the units of shared::DensifyRules.
struct Rules {
    double gradient, scale, radius;
    double pruneOpacity, pruneScale, pruneRadius;
    uint32_t radiusUntil, pruneScaleFrom;
    bool revisedOpacity;
};

/// Which gaussians there are after a refinement, in order; at most `limit` of them where more than `limit` would be born.
std::vector<Offspring> refine(const Gaussians& gaussians, const std::vector<Seen>& seen, const Rules& rules, uint32_t step, uint32_t limit);

/// Strategy budget: who may divide, and how many of them do.
struct BudgetRules {
    double pruneOpacity, pruneWeight, cloneScale;
    std::string score;
    uint32_t target, from, until, interval;
    double power;
};

/// How many of the missing ones a refinement adds: what the schedule's power of the progress gains until the next refinement.
uint32_t newGaussians(uint32_t kept, const BudgetRules& rules, uint32_t step);

/// Which gaussians there are after a refinement, in order. Who divides has the smallest -log(uniform) / score, by core/random.h.
std::vector<Offspring> refineToBudget(const Gaussians& gaussians, const std::vector<Seen>& seen, const BudgetRules& rules, uint32_t step,
                                      uint32_t seed);

/// Opacity and factor on the size of each of n gaussians in the place of one: Eq. 9 of Kheradmand et al. 2024, as it is printed.
struct Share {
    double opacity, scale;
};
Share shareOf(double opacity, uint32_t n);

/// How many gaussians one may be divided into so that each is at least twice as opaque as the least: at most 51.
uint32_t affordableCopies(double opacity, double leastOpacity);

/// Sources of n draws in proportion to integer weights by systematic resampling, ascending; none without any weight. Random numbers are
/// those of core/random.h.
std::vector<uint32_t> drawSystematically(const std::vector<uint32_t>& weights, uint32_t draws, uint32_t seed, uint32_t stream);

}  // namespace splat::reference
