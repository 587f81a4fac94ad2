#include <splatwright/train/watch/growth_end.h>

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <splatwright/core/error.h>
#include <splatwright/core/median.h>

namespace splat {

namespace {

/// View by view; without views if one of the scores has none.
WithheldScore meanOf(std::span<const WithheldScore> scores) {
    WithheldScore mean{.views = std::vector<double>(scores.front().views.size())};
    for (const WithheldScore& score : scores) {
        mean.psnr += score.psnr / static_cast<double>(scores.size());
        if (score.views.empty()) mean.views.clear();
        for (size_t i = 0; i < mean.views.size(); ++i) mean.views[i] += score.views[i] / static_cast<double>(scores.size());
    }
    return mean;
}

}  // namespace

std::optional<uint32_t> nextScore(uint32_t done, const TrainSettings& settings) {
    constexpr uint32_t kParts = 15;  // more scores find the best step no better: those of a few views waver
    constexpr uint32_t kFewest = 2;  // refinements; of a short run, closer scores would tell noise
    const uint32_t refinements = (settings.densifyUntil / kParts + settings.densifyInterval / 2) / settings.densifyInterval;
    const uint32_t interval = std::max(kFewest, refinements) * settings.densifyInterval;
    const uint32_t next = ((std::max(done, settings.densifyFrom) + 1) / interval + 1) * interval - 1;
    return next + interval <= settings.densifyUntil ? std::optional(next) : std::nullopt;
}

double gainOf(const WithheldScore& score, const WithheldScore& over) {
    if (score.views.empty() || over.views.empty()) return score.psnr - over.psnr;
    SPLAT_CHECK(score.views.size() == over.views.size(), "{} views are compared with {}", score.views.size(), over.views.size());
    std::vector<double> gains(score.views.size()), losses(score.views.size());
    for (size_t i = 0; i < gains.size(); ++i) {
        gains[i] = score.views[i] - over.views[i];
        losses[i] = -gains[i];
    }
    // Of two in the middle the mean: with the upper one, each of two scores could be above the other, and growth would not end.
    return (medianOf(std::move(gains)) - medianOf(std::move(losses))) / 2;
}

std::string whyGrowthEnds(const WithheldScore& best, const WithheldScore& seen) {
    const std::string end =
        fmt::format("growth ends at step {} with {} splats, where withheld views have {:.2f} dB: ", best.step, best.splats, best.psnr);
    if (seen.step == best.step) return end + "they hardly gain by more";
    return end + fmt::format("they have {:.2f} dB at step {} with {}, {:+.2f} dB in the median", seen.psnr, seen.step, seen.splats,
                             gainOf(seen, best));
}

bool GrowthEnd::add(const WithheldScore& score) {
    scores_.push_back(score);
    if (best_ && gainOf(score, *best_) <= gain_) return false;
    best_ = score;
    return true;
}

bool GrowthEnd::reached() const {
    constexpr size_t kWindow = 3;
    if (scores_.size() < 2 * kWindow || scores_.back().step <= fullSizeFrom_) return false;
    const auto last = std::span(scores_).last(2 * kWindow);
    return gainOf(meanOf(last.last(kWindow)), meanOf(last.first(kWindow))) <= kWindow * gain_;
}

}  // namespace splat
