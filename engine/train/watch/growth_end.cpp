#include <splatwright/train/watch/growth_end.h>

#include <algorithm>

namespace splat {

std::optional<uint32_t> nextScore(uint32_t done, const TrainSettings& settings) {
    constexpr uint32_t kScores = 15;  // more find the best step no better: scores of a few views waver
    const uint32_t interval = std::max(1u, settings.densifyUntil / kScores);
    const uint32_t next = (std::max(done, settings.densifyFrom) / interval + 1) * interval;
    return next <= settings.densifyUntil ? std::optional(next) : std::nullopt;
}

bool GrowthEnd::add(const WithheldScore& score) {
    scores_.push_back(score);
    ++sinceBest_;
    if (best_ && score.psnr <= best_->psnr + gain_) return false;
    best_ = score;
    sinceBest_ = 0;
    return true;
}

bool GrowthEnd::reached() const {
    constexpr int kPatience = 3;
    return sinceBest_ >= kPatience;
}

}  // namespace splat
