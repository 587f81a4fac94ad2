#include "reference/densify.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include <splatwright/core/random.h>
#include <splatwright/scene/gaussians/usable.h>

namespace splat::reference {

namespace {

__extension__ typedef unsigned __int128 U128;

enum class Verdict { prune, keep, clone, split };

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

Verdict judge(const Gaussians& g, size_t i, const Seen& seen, const Rules& r, uint32_t step) {
    if (!isUsable(g, i)) return Verdict::prune;
    double scale = std::exp(static_cast<double>(std::max({g.logScales[i].x, g.logScales[i].y, g.logScales[i].z})));
    double opacity = sigmoid(g.logitOpacities[i]);
    const bool pulled = seen.views > 0 && seen.gradient / seen.views > r.gradient;
    const bool split = (step < r.radiusUntil && seen.radius > r.radius) || (pulled && scale > r.scale);
    if (split) {
        scale /= 1.6;
        if (r.revisedOpacity) opacity = 1 - std::sqrt(1 - opacity);
    }
    if (opacity < r.pruneOpacity) return Verdict::prune;
    if (step > r.pruneScaleFrom) {
        if (scale > r.pruneScale || (step < r.radiusUntil && seen.radius > r.pruneRadius)) return Verdict::prune;
    }
    if (split) return Verdict::split;
    return pulled ? Verdict::clone : Verdict::keep;
}

double binomial(uint32_t n, uint32_t k) {
    double b = 1;
    for (uint32_t i = 1; i <= k; ++i) b = b * (n - k + i) / i;
    return b;
}

}  // namespace

std::vector<Offspring> refine(const Gaussians& g, const std::vector<Seen>& seen, const Rules& rules, uint32_t step, uint32_t limit) {
    std::vector<Verdict> verdicts;
    for (size_t i = 0; i < g.count(); ++i) verdicts.push_back(judge(g, i, seen[i], rules, step));
    const auto kept = static_cast<uint64_t>(std::ranges::count_if(verdicts, [](Verdict v) { return v != Verdict::prune; }));
    const auto births =
        static_cast<uint64_t>(std::ranges::count_if(verdicts, [](Verdict v) { return v == Verdict::clone || v == Verdict::split; }));
    const uint64_t room = limit > kept ? limit - kept : 0;
    const uint64_t share = births > room ? (room << 32u) / births : 0;
    const auto admitted = [&](uint64_t rank) { return births <= room ? rank : rank * share >> 32u; };

    std::vector<Offspring> offspring;
    uint64_t rank = 0;
    for (uint32_t i = 0; i < g.count(); ++i) {
        const Verdict verdict = verdicts[i];
        if (verdict == Verdict::prune) continue;
        const bool wants = verdict != Verdict::keep;
        const bool grows = wants && admitted(rank + 1) > admitted(rank);
        const bool splits = grows && verdict == Verdict::split;
        rank += wants ? 1 : 0;
        offspring.push_back({i, splits ? Fate::part : Fate::same});
        if (grows) offspring.push_back({i, splits ? Fate::part : Fate::clone});
    }
    return offspring;
}

uint32_t newGaussians(uint32_t kept, const BudgetRules& r, uint32_t step) {
    if (kept >= r.target) return 0;
    const auto reached = [&](uint32_t at) {
        return at >= r.until ? 1.0 : std::pow(static_cast<double>(at - r.from) / (r.until - r.from), r.power);
    };
    const double share = (reached(step + r.interval) - reached(step)) / (1 - reached(step));
    return static_cast<uint32_t>(std::floor((r.target - kept) * share + 0.5));
}

namespace {

double scoreOf(const Seen& seen, double opacity, const std::string& score) {
    if (seen.views == 0) return 0;
    if (score == "gradient") return seen.gradient / seen.views;
    if (score == "gradient-sum") return seen.gradient;
    if (score == "error" || score == "error-pixels") return seen.blended.value;
    if (score == "error-mean") return seen.blended.value / seen.views;
    if (score == "edge") return seen.gradient * seen.blended.value;
    if (score == "variance") {
        const Blended& b = seen.blended;
        return std::max(b.square - b.value * b.value / std::max(b.count, 1.0), 0.0) * opacity * opacity;
    }
    throw std::invalid_argument(score);
}

bool staysInBudget(const Gaussians& g, uint32_t i, const Seen& seen, const BudgetRules& rules) {
    if (rules.pruneWeight > 0 && seen.views > 0 && seen.blended.weight <= rules.pruneWeight) return false;
    return isUsable(g, i) && sigmoid(g.logitOpacities[i]) >= rules.pruneOpacity;
}

/// The gaussians in the order in which they divide; those without a score never do.
std::vector<uint32_t> drawnOrder(const Gaussians& g, const std::vector<Seen>& seen, const BudgetRules& rules, uint32_t seed) {
    std::vector<std::pair<double, uint32_t>> race;
    for (uint32_t i = 0; i < g.count(); ++i) {
        const double score = scoreOf(seen[i], sigmoid(g.logitOpacities[i]), rules.score);
        if (staysInBudget(g, i, seen[i], rules) && score > 0) race.emplace_back(raceTime(seed, i, 5) / score, i);
    }
    std::ranges::sort(race);
    std::vector<uint32_t> order;
    for (const auto& [time, i] : race) order.push_back(i);
    return order;
}

}  // namespace

std::vector<Offspring> refineToBudget(const Gaussians& g, const std::vector<Seen>& seen, const BudgetRules& rules, uint32_t step,
                                      uint32_t seed) {
    const auto stays = [&](uint32_t i) { return staysInBudget(g, i, seen[i], rules); };
    uint32_t kept = 0;
    for (uint32_t i = 0; i < g.count(); ++i) kept += stays(i) ? 1u : 0u;
    std::vector<uint32_t> drawn = drawnOrder(g, seen, rules, seed);
    drawn.resize(std::min<size_t>(drawn.size(), newGaussians(kept, rules, step)));
    std::vector<bool> divides(g.count());
    for (const uint32_t i : drawn) divides[i] = true;

    std::vector<Offspring> offspring;
    for (uint32_t i = 0; i < g.count(); ++i) {
        if (!stays(i)) continue;
        const double scale = std::exp(static_cast<double>(std::max({g.logScales[i].x, g.logScales[i].y, g.logScales[i].z})));
        const bool splits = divides[i] && scale > rules.cloneScale;
        offspring.push_back({i, splits ? Fate::part : Fate::same});
        if (divides[i]) offspring.push_back({i, splits ? Fate::part : Fate::clone});
    }
    return offspring;
}

Share shareOf(double opacity, uint32_t n) {
    const double shared = 1 - std::pow(1 - std::min(opacity, 1 - 0x1p-23), 1.0 / n);
    double sum = 0;
    for (uint32_t i = 1; i <= n; ++i) {
        for (uint32_t k = 0; k < i; ++k) sum += binomial(i - 1, k) * (k % 2 == 0 ? 1 : -1) * std::pow(shared, k + 1.0) / std::sqrt(k + 1.0);
    }
    return {shared, opacity / sum};
}

uint32_t affordableCopies(double opacity, double leastOpacity) {
    uint32_t n = 1;
    while (n < 51 && 1 - std::pow(1 - opacity, 1.0 / (n + 1)) >= 2 * leastOpacity) ++n;
    return n;
}

std::vector<uint32_t> drawSystematically(const std::vector<uint32_t>& weights, uint32_t draws, uint32_t seed, uint32_t stream) {
    std::vector<uint64_t> sums(weights.size());
    std::inclusive_scan(weights.begin(), weights.end(), sums.begin(), std::plus<>(), uint64_t{0});
    const uint64_t total = sums.empty() ? 0 : sums.back();
    std::vector<uint32_t> sources;
    if (total == 0) return sources;
    const U128 offset = U128{random64(seed, 0, stream)} * total >> 64u;
    for (uint32_t j = 0; j < draws; ++j) {
        const auto target = static_cast<uint64_t>((offset + U128{j} * total) / draws);
        sources.push_back(static_cast<uint32_t>(std::ranges::upper_bound(sums, target) - sums.begin()));
    }
    return sources;
}

}  // namespace splat::reference
