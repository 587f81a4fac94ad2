#include <algorithm>

#include <splatwright/core/random.h>
#include <splatwright/primitives/bench.h>
#include <splatwright/primitives/distinct_draws.h>

namespace splat::primitives {

namespace {

constexpr uint32_t kSeed = 42, kPart = 10;  // one draw per so many items

/// The key of an item, and how far the kernel's may be off.
struct RaceKey {
    double value, error;

    RaceKey(float weight, uint32_t item) {
        value = raceTime(kSeed, item, 0) / static_cast<double>(weight);
        error = 1e-6 * value;
    }
    bool isBefore(const RaceKey& other) const { return value + error < other.value - other.error; }
};

/// Whether every item was drawn at most once, in the order of the keys, and no item is left that is before the last one drawn.
bool inRaceOrder(const std::vector<float>& weights, const std::vector<uint32_t>& drawn) {
    std::vector<bool> isDrawn(weights.size());
    for (size_t i = 0; i < drawn.size(); ++i) {
        if (drawn[i] >= weights.size() || isDrawn[drawn[i]]) return false;
        isDrawn[drawn[i]] = true;
        if (i > 0 && RaceKey(weights[drawn[i]], drawn[i]).isBefore(RaceKey(weights[drawn[i - 1]], drawn[i - 1]))) return false;
    }
    const RaceKey last(weights[drawn.back()], drawn.back());
    for (uint32_t item = 0; item < weights.size(); ++item) {
        if (!isDrawn[item] && RaceKey(weights[item], item).isBefore(last)) return false;
    }
    return true;
}

}  // namespace

BenchRow benchDistinctDraws(gpu::Device& device, const std::vector<float>& weights, const BenchOptions& options) {
    const auto n = static_cast<uint32_t>(weights.size());
    const uint32_t draws = std::max(n / kPart, 1u);
    const gpu::Buffer values = device.buffer<float>("weights", n), sources = device.buffer<uint32_t>("sources", draws);
    const gpu::Buffer words = device.buffer<uint32_t>("seed, drawn", 2);
    device.upload(values, weights);
    device.upload(words, std::vector<uint32_t>{kSeed, 0});
    const DistinctDraws distinct(device);
    const DistinctDraws::Scratch scratch = distinct.scratch("bench", n);
    const DistinctDraws::Job job{.weights = values, .seed = {words, 0}, .sources = sources, .drawn = {words, 1}, .scratch = scratch};
    const auto verify = [&] {
        return device.download<uint32_t>(words, 2)[1] == draws && inRaceOrder(weights, device.download<uint32_t>(sources, draws));
    };
    return measure(
        device, options,
        {.bench = "distinct-draws", .variant = "sorted keys", .n = n, .note = fmt::format("{} draws without replacement", draws)},
        {.prepare = [&](gpu::Commands& c) { c.fill(sources, 0xffffffff); },
         .work = [&](gpu::Commands& c) { distinct.record(c, job, {n}, {draws}); },
         .verify = verify});
}

}  // namespace splat::primitives
