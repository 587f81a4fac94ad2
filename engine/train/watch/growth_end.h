#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <splatwright/train/settings/settings.h>
#include <splatwright/train/watch/growth_report.h>

namespace splat {

/// The first step behind `done` after which the withheld views are scored: behind densify_from, about every fifteenth part of densify_until but the
/// last, from which growth would go back just before it ends by itself. Each is the last step before a refinement, because a model that has just been
/// divided looks worse than its count deserves; they are two refinements apart or more.
std::optional<uint32_t> nextScore(uint32_t done, const TrainSettings& settings);

/// By how many dB the views of a score are above the same views of another: the median, so a few views that fluctuate, as those with wrong poses do,
/// decide nothing. The difference of the means if one has no views.
double gainOf(const WithheldScore& score, const WithheldScore& over);

/// The line for people; seen: the last score.
std::string whyGrowthEnds(const WithheldScore& best, const WithheldScore& seen);

/// Tells from the scores of withheld views when more Gaussians no longer help.
class GrowthEnd {
public:
    /// gain: what gainOf() a score over best() has to exceed for the score to become it, and scores have to gain per score for growth to go on, dB.
    /// Up to the step fullSizeFrom no score ends growth: views of full size hardly gain from smaller photographs.
    explicit GrowthEnd(double gain, uint32_t fullSizeFrom = 0) : gain_(gain), fullSizeFrom_(fullSizeFrom) {}

    /// Takes the next score, with as many views as earlier ones or none. True: it is the best one so far.
    bool add(const WithheldScore& score);
    /// Whether growth should have ended at best(): the mean of the last three scores gains too little over that of the three before, of which single
    /// ones waver by more than growth gains.
    bool reached() const;
    const std::optional<WithheldScore>& best() const { return best_; }
    const std::vector<WithheldScore>& scores() const { return scores_; }

private:
    double gain_;
    uint32_t fullSizeFrom_;
    std::optional<WithheldScore> best_;
    std::vector<WithheldScore> scores_;
};

}  // namespace splat
