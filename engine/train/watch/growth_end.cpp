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
    constexpr double kClearly = 0.1;  // dB: a few views' scores rise and fall by as much while a model still gains
    scores_.push_back(score);
    if (!best_ || score.psnr > best_->psnr) {
        best_ = score;
        worse_ = 0;
        return true;
    }
    if (score.psnr < best_->psnr - kClearly) ++worse_;
    return false;
}

bool GrowthEnd::reached() const {
    constexpr int kPatience = 3;
    return worse_ >= kPatience;
}

}  // namespace splat
