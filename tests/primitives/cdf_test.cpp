#include <splatwright/primitives/cdf.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include <splatwright/shared/primitives.h>
#include "primitives/cdf_reference.h"
#include "support/test_device.h"

namespace splat::primitives {
namespace {

constexpr uint32_t kGarbage = 0xdeadbeef;
constexpr uint32_t kSpare = 3000;  // elements beyond the count, more than a tile, which must stay as they are
constexpr uint32_t kTile = shared::kCdfTile, kMax = shared::kCdfMaxWeight;

// ---- The host's way.

struct Drawn {
    Words sources, multiplicities;
    bool operator==(const Drawn&) const = default;
};

Drawn drawOnHost(Method method, const Words& weights, uint32_t draws, Seed seed = {}) {
    const Sums sums = sumOnHost(weights);
    Drawn drawn{{}, Words(weights.size())};
    for (uint32_t j = 0; j < draws && total(sums) > 0; ++j) {
        const uint64_t target = targetOnHost(method, seed, j, draws, total(sums));
        drawn.sources.push_back(static_cast<uint32_t>(std::upper_bound(sums.begin(), sums.end(), target) - sums.begin()));
        ++drawn.multiplicities.at(drawn.sources.back());
    }
    return drawn;
}

// ---- The device's way.

Words padded(Words words, size_t to) {
    words.resize(to, kGarbage);
    return words;
}

/// Cuts off what lies beyond the count, after a look at it.
template <class T>
std::vector<T> cut(std::vector<T> found, size_t count) {
    EXPECT_EQ(std::count(found.begin() + static_cast<std::ptrdiff_t>(count), found.end(), kGarbage), found.size() - count);
    found.resize(count);
    return found;
}

/// Weights on the device with spare capacity, and the distribution built of them.
class Distribution {
public:
    Distribution(const Words& weights, GroupScan variant, bool countOnGpu = true)
        : cdf_(testDevice(), variant), count_(static_cast<uint32_t>(weights.size())), capacity_(countOnGpu ? count_ + kSpare : count_) {
        gpu::Device& device = testDevice();
        table_ = cdf_.table("cdf", capacity_);
        const gpu::Buffer values = device.buffer<uint32_t>("weights", count_ + kSpare);
        words_ = device.buffer<uint32_t>("words", 4);
        device.upload(values, padded(weights, count_ + kSpare));
        device.upload(table_.sums, Words(table_.sums.bytes() / 4, kGarbage));
        device.upload(words_, Words{kGarbage, count_, 0, 0});
        const Count count = countOnGpu ? Count{capacity_, {words_, 1}} : Count{capacity_};
        device.run("cdf", [&](gpu::Commands& c) { cdf_.record(c, {.weights = values, .table = table_}, count); });
    }

    uint64_t sum() const { return uint64_t{totals().sum.y} << 32u | totals().sum.x; }
    uint32_t weights() const { return totals().weights; }
    /// The inclusive 64-bit sums that the two levels stand for.
    Sums sums() const {
        const Words inTile = cut(testDevice().download<uint32_t>(table_.sums, std::max(capacity_, 1u)), count_);
        const Sums starts = testDevice().download<uint64_t>(table_.tileStarts, table_.tileStarts.bytes() / 8);
        Sums sums;
        for (uint32_t i = 0; i < count_; ++i) sums.push_back(starts[i / kTile] + inTile[i]);
        return sums;
    }

    Drawn draw(Method method, uint32_t draws, Seed seed = {}, bool countOnGpu = true) const {
        gpu::Device& device = testDevice();
        const gpu::Buffer sources = device.buffer<uint32_t>("sources", draws + kSpare);
        const gpu::Buffer multiplicities = device.buffer<uint32_t>("multiplicities", count_ + kSpare);
        device.upload(sources, Words(draws + kSpare, kGarbage));
        device.upload(multiplicities, Words(count_ + kSpare, kGarbage));
        device.upload(words_, Words{kGarbage, count_, draws, seed.seed});
        const Cdf::Draw job{
            .table = table_, .seed = {words_, 3}, .stream = seed.stream, .sources = sources, .multiplicities = multiplicities};
        const Count count = countOnGpu ? Count{draws + kSpare, {words_, 2}} : Count{draws};
        device.run("draw", [&](gpu::Commands& c) {
            method == Method::systematic ? cdf_.recordSystematic(c, job, count) : cdf_.recordIndependent(c, job, count);
        });
        const Word drawn = table_.drawn();
        const uint32_t made = device.download<uint32_t>(drawn.words(), drawn.index + 1)[drawn.index];
        EXPECT_LE(made, draws);
        return {cut(device.download<uint32_t>(sources, draws + kSpare), made),
                cut(device.download<uint32_t>(multiplicities, count_ + kSpare), count_)};
    }

private:
    shared::CdfTotal totals() const { return testDevice().download<shared::CdfTotal>(table_.total, 1)[0]; }

    Cdf cdf_;
    uint32_t count_, capacity_;
    CdfTable table_;
    gpu::Buffer words_;
};

// ---- Weights to try.

Words randomWeights(uint32_t count, uint32_t below = kMax + 1) {
    std::mt19937 random(count);
    Words weights(count);
    for (uint32_t& w : weights) w = static_cast<uint32_t>(random() % below);
    return weights;
}

/// As opacities of a trained model are: many small, few large.
Words opacityWeights(uint32_t count) {
    Words weights = randomWeights(count);
    for (uint32_t& w : weights) w = static_cast<uint32_t>(std::pow(w / double{kMax}, 2.5) * kMax);
    return weights;
}

Words singleWeight(uint32_t count, uint32_t at, uint32_t weight) {
    Words weights(count, 0);
    weights[at] = weight;
    return weights;
}

Words alternating(uint32_t count, uint32_t even, uint32_t odd) {
    Words weights(count, even);
    for (uint32_t i = 1; i < count; i += 2) weights[i] = odd;
    return weights;
}

/// Whole tiles of nothing, at the beginning, in the middle and at the end.
Words withEmptyTiles() {
    Words weights(7 * kTile + 5, 0);
    for (const uint32_t tile : {1u, 2u, 5u}) weights[tile * kTile + 9] = weights[tile * kTile + kTile - 1] = 3;
    return weights;
}

std::vector<Words> adversaries() {
    return {Words(5 * kTile + 3, kMax),
            Words(5000, 0),
            alternating(2 * kTile + 10, 0, 7),
            alternating(2 * kTile + 11, kMax, 0),
            withEmptyTiles(),
            singleWeight(4 * kTile, 0, 1),
            singleWeight(4 * kTile, 2 * kTile - 1, 1),
            singleWeight(4 * kTile, 2 * kTile, kMax),
            singleWeight(4 * kTile, 4 * kTile - 1, 1)};
}

// ---- The reference itself.

TEST(CdfReference, AgreesWithAHandMadeExample) {
    EXPECT_EQ(sumOnHost({3, 0, 5, 1}), (Sums{3, 3, 8, 9}));
    EXPECT_EQ(scaled(uint64_t{1} << 63u, 9), 4u);
    EXPECT_EQ(scaled(~uint64_t{0}, 9), 8u);
    // Three equal steps of 9/3 from any offset below 1: 0, 3 and 6, of which the first weight holds one and the third the others.
    EXPECT_EQ(drawOnHost(Method::systematic, {3, 0, 5, 1}, 3).multiplicities[1], 0u);
    const Drawn all = drawOnHost(Method::systematic, {3, 0, 5, 1}, 9);
    EXPECT_EQ(all, (Drawn{{0, 0, 0, 2, 2, 2, 2, 2, 3}, {3, 0, 5, 1}}));
}

TEST(CdfReference, SystematicDrawsHaveTheExpectedMean) {
    const Words weights{1, 10, 0, 100, 5, 884};
    std::vector<double> means(weights.size());
    constexpr int kRuns = 20'000;
    for (uint32_t run = 0; run < kRuns; ++run) {
        const Drawn drawn = drawOnHost(Method::systematic, weights, 3, {run, 0});
        for (size_t i = 0; i < weights.size(); ++i) means[i] += drawn.multiplicities[i] / double{kRuns};
    }
    // A multiplicity's standard deviation is at most a half, as only two neighbouring numbers occur.
    for (size_t i = 0; i < weights.size(); ++i) EXPECT_NEAR(means[i], 3 * weights[i] / 1000.0, 4 * 0.5 / std::sqrt(kRuns)) << i;
}

// ---- The sums.

class CdfTest : public testing::TestWithParam<GroupScan> {
protected:
    /// The portable variant stands in where the device has no subgroup operations, as it does in the engine.
    void SetUp() override {
        if (!isAvailable(testDevice(), Summing::cdf, variant()))
            GTEST_SKIP() << "the variant needs " << missingFor(testDevice(), Summing::cdf, variant());
    }
    static GroupScan variant() { return GetParam(); }

    static void expectSums(const Words& weights, bool countOnGpu = true) {
        const Distribution found(weights, variant(), countOnGpu);
        const Sums expected = sumOnHost(weights);
        EXPECT_EQ(found.sums(), expected) << weights.size() << " weights";
        EXPECT_EQ(found.sum(), total(expected)) << weights.size() << " weights";
        EXPECT_EQ(found.weights(), weights.size());
    }
};

TEST_P(CdfTest, SumsAreExactForEverySizeAroundABoundary) {
    std::vector<uint32_t> sizes{0, 1, 2, 255, 256, 257, 300'000};
    for (const uint32_t tiles : {1u, 2u, 5u, shared::kMaxScanGroups}) {
        for (const uint32_t off : {0u, 1u, 2u}) sizes.push_back(tiles * kTile - 1 + off);
    }
    for (const uint32_t size : sizes) expectSums(randomWeights(size), size % 2 == 0);
}

TEST_P(CdfTest, SumsOfAdversariesAreExact) {
    for (const Words& weights : adversaries()) expectSums(weights);
}

TEST_P(CdfTest, MoreTilesThanOneChunkOfTotals) {
    expectSums(randomWeights(kTile * shared::kCdfRowItems * shared::kScanThreads + kTile + 1), false);
}

TEST_P(CdfTest, ALargerWeightCountsAsTheLargest) {
    const Distribution found(Words(size_t{3} * kTile, 0xffffffff), variant());
    EXPECT_EQ(found.sums(), sumOnHost(Words(size_t{3} * kTile, kMax)));
}

INSTANTIATE_TEST_SUITE_P(Variants, CdfTest, testing::Values(GroupScan::subgroup, GroupScan::portable),
                         [](const auto& p) { return p.param == GroupScan::subgroup ? "subgroup" : "portable"; });

// ---- The draws.

class CdfDrawTest : public testing::TestWithParam<Method> {
protected:
    static Distribution distribution(const Words& weights) { return Distribution(weights, bestGroupScan(testDevice(), Summing::cdf)); }
    static void expectDraws(const Words& weights, std::initializer_list<uint32_t> numbers) {
        const Distribution d = distribution(weights);
        for (const uint32_t draws : numbers) {
            const Seed seed{draws, 2 * draws};
            const Drawn found = d.draw(GetParam(), draws, seed, draws % 2 == 0);
            EXPECT_EQ(found, drawOnHost(GetParam(), weights, draws, seed)) << weights.size() << " weights, " << draws << " draws";
        }
    }
};

TEST_P(CdfDrawTest, AgreesWithTheHost) {
    for (const uint32_t size : {1u, 2u, kTile - 1, kTile, kTile + 1, 5 * kTile + 3}) {
        expectDraws(randomWeights(size), {0, 1, 2, 255, 256, 257, 4999, 65'537});
    }
    expectDraws(opacityWeights(300'000), {1, 15'000, 300'000, 1'000'003});
    // Where each target has an index of its own, long division must be right to the unit; this divisor makes its estimates two too large.
    expectDraws(randomWeights(300'000, 3), {0x10001f});
}

TEST_P(CdfDrawTest, AgreesWithTheHostOnAdversaries) {
    for (const Words& weights : adversaries()) expectDraws(weights, {0, 1, 7, 10'000});
}

TEST_P(CdfDrawTest, NothingToDrawFromDrawsNothing) {
    for (const uint32_t size : {0u, 1u, 5000u}) {
        const Drawn drawn = distribution(Words(size, 0)).draw(GetParam(), 100);
        EXPECT_EQ(drawn, (Drawn{{}, Words(size, 0)}));
    }
}

TEST_P(CdfDrawTest, SeedAndStreamMakeADifference) {
    const Distribution d = distribution(randomWeights(10'000));
    const Drawn drawn = d.draw(GetParam(), 1000, {1, 1});
    EXPECT_NE(drawn.sources, d.draw(GetParam(), 1000, {2, 1}).sources);
    EXPECT_NE(drawn.sources, d.draw(GetParam(), 1000, {1, 2}).sources);
    EXPECT_EQ(drawn, d.draw(GetParam(), 1000, {1, 1}));
}

TEST_P(CdfDrawTest, CountsBeyondTheCapacityAreTheCapacity) {
    gpu::Device& device = testDevice();
    const Cdf cdf(device);
    const CdfTable table = cdf.table("cdf", 90);
    const gpu::Buffer weights = device.buffer<uint32_t>("weights", 100), words = device.buffer<uint32_t>("words", 1);
    const gpu::Buffer sources = device.buffer<uint32_t>("sources", 100), multiplicities = device.buffer<uint32_t>("multiplicities", 100);
    device.upload(weights, Words(100, 1));
    device.upload(words, Words{1'000'000'000});
    for (const gpu::Buffer* b : {&sources, &multiplicities}) device.upload(*b, Words(100, kGarbage));
    const Cdf::Draw draw{.table = table, .seed = {words, 0}, .sources = sources, .multiplicities = multiplicities};
    device.run("cdf", [&](gpu::Commands& c) {
        cdf.record(c, {.weights = weights, .table = table}, {90, {words, 0}});
        GetParam() == Method::systematic ? cdf.recordSystematic(c, draw, {80, {words, 0}})
                                         : cdf.recordIndependent(c, draw, {80, {words, 0}});
    });
    const Words counted = cut(device.download<uint32_t>(multiplicities, 100), 90);
    EXPECT_EQ(std::accumulate(counted.begin(), counted.end(), 0u), 80u);
    for (const uint32_t source : cut(device.download<uint32_t>(sources, 100), 80)) EXPECT_LT(source, 90u);
}

INSTANTIATE_TEST_SUITE_P(Methods, CdfDrawTest, testing::Values(Method::systematic, Method::independent),
                         [](const auto& p) { return p.param == Method::systematic ? "systematic" : "independent"; });

TEST(CdfSystematic, EachIsDrawnItsShareRoundedDownOrUp) {
    const Words weights = opacityWeights(50'000);
    const uint64_t sum = total(sumOnHost(weights));
    const Distribution d(weights, bestGroupScan(testDevice(), Summing::cdf));
    for (const uint32_t draws : {1000u, 50'000u, 200'001u}) {
        const Drawn drawn = d.draw(Method::systematic, draws);
        EXPECT_TRUE(std::is_sorted(drawn.sources.begin(), drawn.sources.end()));
        for (size_t i = 0; i < weights.size(); ++i) {
            const uint64_t share = uint64_t{draws} * weights[i], low = share / sum, high = (share + sum - 1) / sum;
            ASSERT_TRUE(low <= drawn.multiplicities[i] && drawn.multiplicities[i] <= high) << i << ", " << draws << " draws";
        }
    }
}

TEST(CdfIndependent, PassesAChiSquareTest) {
    const Words weights = opacityWeights(3 * kTile);
    const uint64_t sum = total(sumOnHost(weights));
    constexpr uint32_t kDraws = 1'000'000, kBins = 96;
    const Drawn drawn = Distribution(weights, bestGroupScan(testDevice(), Summing::cdf)).draw(Method::independent, kDraws);
    double chiSquare = 0;
    for (uint32_t bin = 0; bin < kBins; ++bin) {
        double expected = 0, found = 0;
        for (size_t i = bin; i < weights.size(); i += kBins) {
            expected += static_cast<double>(weights[i]) / static_cast<double>(sum) * kDraws;
            found += drawn.multiplicities[i];
        }
        chiSquare += (found - expected) * (found - expected) / expected;
    }
    // Mean 95 and standard deviation 13.8: far too even would be as wrong as far off.
    EXPECT_NEAR(chiSquare, kBins - 1, 4 * std::sqrt(2.0 * (kBins - 1)));
}

}  // namespace
}  // namespace splat::primitives
