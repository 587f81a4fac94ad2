#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <splatwright/core/random.h>
#include <splatwright/core/rng.h>
#include <splatwright/primitives/bench.h>
#include <splatwright/primitives/float_cdf.h>
#include <splatwright/primitives/layered_cdf.h>

namespace splat::primitives {

namespace {

using Words = std::vector<uint32_t>;
using Sums = std::vector<uint64_t>;

constexpr uint32_t kSeed = 1;
constexpr uint32_t kMembers = 100;  // of a group

// Traverse Research, "Fast CDF generation on the GPU for light picking".
constexpr uint32_t kPublishedSize = 100'000;
constexpr const char* kPublished = "; published for an RTX 3080: 0.054 ms";

/// Distribution of a trained model's opacities: many small ones, and none below the pruning threshold.
Words opacities(uint32_t n) {
    Words weights(n);
    Rng rng(n);
    for (uint32_t& w : weights) w = static_cast<uint32_t>(std::max(std::pow(rng.uniform(), 2.5), 0.005) * shared::kCdfMaxWeight);
    return weights;
}

/// Weights whose logarithms are spread evenly: from a millionth of the largest to the largest.
Words spreadWeights(uint32_t n) {
    Words weights(n);
    Rng rng(n);
    for (uint32_t& w : weights) w = static_cast<uint32_t>(std::pow(10, -6 * rng.uniform()) * shared::kCdfMaxWeight);
    return weights;
}

/// floor(a * b / 2^64).
uint64_t productHigh(uint64_t a, uint64_t b) {
    const uint64_t aLow = static_cast<uint32_t>(a), aHigh = a >> 32u, bLow = static_cast<uint32_t>(b), bHigh = b >> 32u;
    const uint64_t carry = aHigh * bLow + (aLow * bLow >> 32u);
    const uint64_t middle = aLow * bHigh + static_cast<uint32_t>(carry);
    return aHigh * bHigh + (carry >> 32u) + (middle >> 32u);
}

/// Weights on the GPU, their sums on the host, and buffers for as many draws.
struct Input {
    Input(gpu::Device& on, Words given)
        : device(on),
          weights(std::move(given)),
          sums(n()),
          values(device.buffer<uint32_t>("weights", n())),
          sources(device.buffer<uint32_t>("sources", n())),
          multiplicities(device.buffer<uint32_t>("multiplicities", n())),
          words(device.buffer<uint32_t>("count, seed", 2)) {
        std::inclusive_scan(weights.begin(), weights.end(), sums.begin(), std::plus<>(), uint64_t{0});
        device.upload(values, weights);
        device.upload(words, Words{n(), kSeed});
    }
    uint32_t n() const { return static_cast<uint32_t>(weights.size()); }
    Count count() const { return {n(), {words, 0}}; }
    Cdf::Draw draw(const CdfTable& table) const {
        return {.table = table, .seed = {words, 1}, .sources = sources, .multiplicities = multiplicities};
    }
    /// The 64-bit inclusive sums that a table stands for.
    Sums sumsOf(const CdfTable& table) const {
        const Words inTile = device.download<uint32_t>(table.sums, n());
        const Sums starts = device.download<uint64_t>(table.tileStarts, table.tileStarts.bytes() / sizeof(uint64_t));
        Sums found(n());
        for (uint32_t i = 0; i < n(); ++i) found[i] = starts[i / shared::kCdfTile] + inTile[i];
        return found;
    }
    bool drew(const Words& expected) const {
        Words counted(n());
        for (const uint32_t source : expected) ++counted[source];
        return device.download<uint32_t>(sources, n()) == expected && device.download<uint32_t>(multiplicities, n()) == counted;
    }

    gpu::Device& device;
    Words weights;
    Sums sums;
    gpu::Buffer values, sources, multiplicities, words;
};

/// Number of weights that cannot be drawn, because their sum is not above all previous ones. All weights are above 0.
template <class Sum>
uint64_t neverDrawn(const std::vector<Sum>& sums) {
    uint64_t lost = 0;
    Sum greatest = 0;
    for (const Sum sum : sums) {
        if (sum <= greatest) ++lost;
        greatest = std::max(greatest, sum);
    }
    return lost;
}

void noteNeverDrawn(uint64_t lost, BenchRow& row) {
    row.neverDrawn = lost;
    row.note = fmt::format("never drawn: {} weights{}", lost, row.n == kPublishedSize ? kPublished : "");
}

BenchRow benchBuild(const BenchOptions& options, const Cdf& cdf, const Input& input, BenchRow row) {
    const CdfTable table = cdf.table("bench", input.n());
    uint64_t lost = 0;
    const auto verify = [&] {
        const Sums found = input.sumsOf(table);
        lost = neverDrawn(found);
        return found == input.sums;
    };
    row = measure(input.device, options, std::move(row),
                  {.prepare = [&](gpu::Commands& c) { c.fill(table.sums, 0xffffffff); },
                   .work = [&](gpu::Commands& c) { cdf.record(c, {.weights = input.values, .table = table}, input.count()); },
                   .verify = verify});
    noteNeverDrawn(lost, row);
    return row;
}

bool isNear(const std::vector<float>& found, const Sums& expected) {
    return std::ranges::equal(found, expected, [&](float sum, uint64_t exact) {
        return std::abs(sum - static_cast<double>(exact)) <= 1e-5 * static_cast<double>(expected.back());
    });
}

/// The same with sums of floats, right to a few digits, by the same variant.
BenchRow benchFloats(const BenchOptions& options, const Input& input, BenchRow row) {
    const GroupScan variant = bestGroupScan(input.device, Summing::cdf);
    const FloatCdfTable table = floatCdfTable(input.device, "bench", input.n());
    uint64_t lost = 0;
    const auto verify = [&] {
        std::vector<float> found = input.device.download<float>(table.sums, input.n());
        const auto starts = input.device.download<float>(table.tileStarts, table.tileStarts.bytes() / sizeof(float));
        for (uint32_t i = 0; i < input.n(); ++i) found[i] += starts[i / shared::kCdfTile];
        lost = neverDrawn(found);
        return isNear(found, input.sums);
    };
    row = measure(
        input.device, options, std::move(row),
        {.prepare = [&](gpu::Commands& c) { c.fill(table.sums, 0xffffffff); },
         .work = [&](gpu::Commands& c) { recordFloatCdf(c, {.weights = input.values, .table = table, .variant = variant}, input.count()); },
         .verify = verify});
    noteNeverDrawn(lost, row);
    return row;
}

/// Records as many draws as there are weights.
struct DrawBench {
    const char* name;
    void (Cdf::*record)(gpu::Commands& commands, const Cdf::Draw& draw, const Count& draws) const;
    uint64_t (*target)(uint64_t sum, uint32_t draw, uint32_t draws);
};

constexpr DrawBench kDraws[] = {
    {"systematic", &Cdf::recordSystematic,
     [](uint64_t sum, uint32_t draw, uint32_t draws) {
         const uint64_t offset = productHigh(random64(kSeed, 0, 0), sum);
         return offset / draws + draw * (sum / draws) +
                (offset % draws + draw * (sum % draws)) / draws;  // shaders/primitives/cdf_systematic.slang
     }},
    {"independent", &Cdf::recordIndependent,
     [](uint64_t sum, uint32_t draw, uint32_t) { return productHigh(random64(kSeed, draw, 0), sum); }},
};

Words expectedDraws(const DrawBench& bench, const Input& input) {
    Words expected(input.n());
    for (uint32_t j = 0; j < input.n(); ++j) {
        const uint64_t target = bench.target(input.sums.back(), j, input.n());
        expected[j] = static_cast<uint32_t>(std::upper_bound(input.sums.begin(), input.sums.end(), target) - input.sums.begin());
    }
    return expected;
}

BenchRow benchDraw(const BenchOptions& options, const DrawBench& bench, const Input& input) {
    const Cdf cdf(input.device);
    const CdfTable table = cdf.table("bench", input.n());
    const Words expected = expectedDraws(bench, input);
    // How far numbers of draws are from their means, n w / S.
    Words counted(input.n());
    for (const uint32_t source : expected) ++counted[source];
    const double drawsPerWeight = input.n() / static_cast<double>(input.sums.back());
    double greatest = 0, squares = 0;
    for (uint32_t i = 0; i < input.n(); ++i) {
        const double difference = std::abs(counted[i] - drawsPerWeight * input.weights[i]);
        greatest = std::max(greatest, difference);
        squares += difference * difference;
    }
    std::string note = fmt::format("draws per item differ from their means by {:.2f} at most, {:.2f} in the root mean square", greatest,
                                   std::sqrt(squares / input.n()));
    return measure(input.device, options, {.bench = "cdf-draw", .variant = bench.name, .n = input.n(), .note = std::move(note)},
                   {.prepare =
                        [&](gpu::Commands& c) {
                            cdf.record(c, {.weights = input.values, .table = table}, input.count());
                            c.fill(input.sources, 0xffffffff);
                        },
                    .work = [&](gpu::Commands& c) { (cdf.*bench.record)(c, input.draw(table), input.count()); },
                    .verify = [&] { return input.drew(expected); }});
}

/// Groups of kMembers members, the last one smaller, built and drawn from as often as there are members, in one recording.
BenchRow benchLayers(const BenchOptions& options, const Input& input) {
    Words sizes(input.n() / kMembers + 1, kMembers);
    sizes.back() = input.n() % kMembers;
    const auto groups = static_cast<uint32_t>(sizes.size());
    const LayeredCdf cdf(input.device);
    const LayeredCdfTable table = cdf.table("bench", input.n(), groups);
    const gpu::Buffer groupSizes = input.device.buffer<uint32_t>("group sizes", groups);
    const gpu::Buffer sourceGroups = input.device.buffer<uint32_t>("source groups", input.n());
    input.device.upload(groupSizes, sizes);
    const LayeredCdf::Draw draw{.table = table,
                                .seed = {input.words, 1},
                                .sources = input.sources,
                                .sourceGroups = sourceGroups,
                                .multiplicities = input.multiplicities};
    const Words expected = expectedDraws(kDraws[0], input);
    Words expectedGroups = expected;
    for (uint32_t& group : expectedGroups) group /= kMembers;
    return measure(
        input.device, options,
        {.bench = "cdf-layers", .variant = "systematic", .n = input.n(), .note = fmt::format("{} groups, build and draw", groups)},
        {.prepare = [&](gpu::Commands& c) { c.fill(input.sources, 0xffffffff); },
         .work =
             [&](gpu::Commands& c) {
                 cdf.record(c, {.weights = input.values, .groupSizes = groupSizes, .table = table}, {groups});
                 cdf.recordSystematic(c, draw, input.count());
             },
         .verify = [&] { return input.drew(expected) && input.device.download<uint32_t>(sourceGroups, input.n()) == expectedGroups; }});
}

}  // namespace

std::vector<BenchRow> benchCdf(gpu::Device& device, const std::vector<uint32_t>& sizes, const BenchOptions& options) {
    std::vector<BenchRow> rows;
    for (const uint32_t n : sizes) {
        const Input input(device, opacities(n)), spread(device, spreadWeights(n));
        for (const auto& [variant, name] : kGroupScans) {
            if (!isAvailable(device, Summing::cdf, variant)) continue;
            rows.push_back(benchBuild(options, Cdf(device, variant), input, {.bench = "cdf-build", .variant = name, .n = n}));
        }
        rows.push_back(benchFloats(options, input, {.bench = "cdf-build", .variant = "floats", .n = n}));
        rows.push_back(benchBuild(options, Cdf(device), spread, {.bench = "cdf-spread", .variant = "exact", .n = n}));
        rows.push_back(benchFloats(options, spread, {.bench = "cdf-spread", .variant = "floats", .n = n}));
        for (const DrawBench& bench : kDraws) rows.push_back(benchDraw(options, bench, input));
        rows.push_back(benchLayers(options, input));
        rows.push_back(benchDistinctDraws(device, {spread.weights.begin(), spread.weights.end()}, options));
    }
    return rows;
}

}  // namespace splat::primitives
