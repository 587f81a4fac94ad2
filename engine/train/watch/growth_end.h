#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <splatwright/train/settings/settings.h>
#include <splatwright/train/watch/growth_report.h>

namespace splat {

/// The first step behind `done` after which the withheld views are scored: 15 steps up to densify_until, except those up to densify_from.
std::optional<uint32_t> nextScore(uint32_t done, const TrainSettings& settings);

/// By how many dB the views of a score are above the same views of another: the median, so a few views that fluctuate, as those with wrong poses do,
/// decide nothing. The difference of the means if one has no views.
double gainOf(const WithheldScore& score, const WithheldScore& over);

/// Tells from the scores of withheld views when more Gaussians no longer help.
class GrowthEnd {
public:
    /// gain: what gainOf() a score over best() has to exceed for the score to become it, dB.
    explicit GrowthEnd(double gain) : gain_(gain) {}

    /// Takes the next score, with as many views as earlier ones or none. True: it is the best one so far.
    bool add(const WithheldScore& score);
    /// Whether growth should have ended at best(): there have been three scores since.
    bool reached() const;
    const std::optional<WithheldScore>& best() const { return best_; }
    const std::vector<WithheldScore>& scores() const { return scores_; }

private:
    double gain_;
    std::optional<WithheldScore> best_;
    std::vector<WithheldScore> scores_;
    int sinceBest_ = 0;  ///< scores
};

}  // namespace splat
