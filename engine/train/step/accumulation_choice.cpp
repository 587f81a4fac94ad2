#include <splatwright/train/step/accumulation_choice.h>

#include <algorithm>

#include <splatwright/core/error.h>
#include <splatwright/train/parts/depth_settings.h>
#include <splatwright/train/settings/accumulation_setting.h>
#include <splatwright/train/settings/settings.h>

namespace splat {

namespace {

constexpr double kNanosecond = 1e-6;  // milliseconds; added to times, so that a coarse clock's zeros have a ratio

/// The middle value; the lower one of two, so that one disturbed value of two does no harm.
double medianOf(std::vector<double> values) {
    std::ranges::sort(values);
    return values[(values.size() - 1) / 2];
}

}  // namespace

std::string nameOf(const AccumulationMethod& method) {
    if (!method.row->balanced) return std::string(method.row->name);
    return fmt::format("{} from {}/{} of the lanes", method.row->name, method.balanceThreshold, shared::kBalanceParts);
}

AccumulationMethod firstMethod(const TrainSettings& settings) {
    const AccumulationRow& row = accumulationOf(settings);
    return {&row, row.balanced ? settings.balanceThreshold : 0};
}

std::vector<AccumulationMethod> comparedMethods(const TrainSettings& settings) {
    if (settings.accumulate != kAutomatic) return {};
    std::vector<AccumulationMethod> methods{firstMethod(settings)};
    for (const AccumulationRow* row : accumulationTable()) {
        const bool needsBuffers = row->checkpoints || row->deterministic;  // of its own, which a frame made for another method lacks
        if (row == methods[0].row || row->baseline || needsBuffers || (settings.of<DepthSettings>().supervisesDepth() && !row->carries))
            continue;
        for (uint32_t threshold = 0; threshold <= (row->balanced ? shared::kBalanceParts : 0); ++threshold)
            methods.push_back({row, threshold});
    }
    return methods;
}

AccumulationChoice::AccumulationChoice(const std::vector<AccumulationMethod>& methods) {
    SPLAT_CHECK(!methods.empty(), "{} methods", methods.size());
    for (const AccumulationMethod& method : methods) candidates_.push_back({method});
}

/// Rounds begin with different methods, because the first one finds other data in the caches.
std::vector<AccumulationMethod> AccumulationChoice::toTime(uint32_t step) {
    if (!round_.empty() || candidates_.size() == 1) return {};
    if (!comparing_ && step >= due_) begin(step);
    if (!comparing_) return {};
    for (size_t i = 0; i < candidates_.size(); ++i) {
        if (candidates_[i].takesPart) round_.push_back(i);
    }
    std::ranges::rotate(round_, round_.begin() + static_cast<ptrdiff_t>(roundsDone_ % round_.size()));
    std::vector<AccumulationMethod> methods;
    for (const size_t i : round_) methods.push_back(candidates_[i].method);
    return methods;
}

void AccumulationChoice::begin(uint32_t step) {
    comparing_ = true;
    roundsDone_ = 0;
    due_ = step + kEvery;
    times_.clear();
    for (Candidate& c : candidates_) {
        c.ratios.clear();
        if (c.misses > 0) --c.misses;
        c.takesPart = c.misses == 0;
    }
}

std::optional<AccumulationDecision> AccumulationChoice::timed(uint32_t step, std::span<const double> milliseconds) {
    SPLAT_CHECK(!round_.empty() && milliseconds.size() == round_.size(), "{} times of {} methods", milliseconds.size(), round_.size());
    times_.push_back(milliseconds[static_cast<size_t>(std::ranges::find(round_, chosen_) - round_.begin())]);
    for (size_t i = 0; i < round_.size(); ++i)
        candidates_[round_[i]].ratios.push_back((milliseconds[i] + kNanosecond) / (times_.back() + kNanosecond));
    round_.clear();
    if (++roundsDone_ >= kFirstRounds) dropSlow();
    if (roundsDone_ < kRounds) return std::nullopt;
    comparing_ = false;
    return decide(step);
}

/// The method in use and the fastest other one always stay, so that every comparison has two.
void AccumulationChoice::dropSlow() {
    const size_t next = fastestBut(chosen_);
    const double least = std::min(score(chosen_), score(next));
    for (size_t i = 0; i < candidates_.size(); ++i) {
        Candidate& c = candidates_[i];
        if (!c.takesPart || i == chosen_ || i == next || score(i) <= kClearlySlower * least) continue;
        c.takesPart = false;
        c.misses = 1 + kMissed;
    }
}

AccumulationDecision AccumulationChoice::decide(uint32_t step) {
    const size_t before = chosen_, fastest = fastestBut(before);
    const double unit = medianOf(times_);
    if (score(fastest) * kWorthAChange < score(before)) chosen_ = fastest;
    const size_t next = fastestBut(chosen_);
    return {.step = step,
            .chosen = chosen(),
            .milliseconds = unit * score(chosen_),
            .next = candidates_[next].method,
            .nextMilliseconds = unit * score(next),
            .changed = chosen_ != before};
}

size_t AccumulationChoice::fastestBut(size_t other) const {
    size_t fastest = other;
    for (size_t i = 0; i < candidates_.size(); ++i) {
        if (i == other || !candidates_[i].takesPart) continue;
        if (fastest == other || score(i) < score(fastest)) fastest = i;
    }
    return fastest;
}

double AccumulationChoice::score(size_t candidate) const { return medianOf(candidates_[candidate].ratios); }

}  // namespace splat
