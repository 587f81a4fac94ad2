#include <splatwright/primitives/layered_cdf.h>

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "primitives/cdf_reference.h"
#include "support/test_device.h"

namespace splat::primitives {
namespace {

constexpr uint32_t kGarbage = 0xdeadbeef;
constexpr uint32_t kSpare = 3000;  // elements beyond the counts, more than a tile, which must stay as they are
constexpr uint32_t kTile = shared::kCdfTile, kThreads = shared::kScanThreads, kMax = shared::kCdfMaxWeight;

/// Weights of the members, group after group.
struct Layers {
    Words weights, sizes;
};

struct Drawn {
    Words sources, groups, multiplicities;
    bool operator==(const Drawn&) const = default;
};

/// First the group by the groups' sums, then the member by the sums within the group.
Drawn drawOnHost(Method method, const Layers& layers, uint32_t draws, Seed seed) {
    const Sums sums = sumOnHost(layers.weights);
    Drawn drawn{{}, {}, Words(layers.weights.size())};
    for (uint32_t j = 0; j < draws && total(sums) > 0; ++j) {
        uint64_t rest = targetOnHost(method, seed, j, draws, total(sums));
        uint32_t first = 0, group = 0, member = 0;
        const auto sumOfGroup = [&] {
            const auto begin = layers.weights.begin() + first;
            return std::accumulate(begin, begin + layers.sizes.at(group), uint64_t{0});
        };
        for (; rest >= sumOfGroup(); first += layers.sizes[group++]) rest -= sumOfGroup();
        for (; rest >= layers.weights[first + member]; ++member) rest -= layers.weights[first + member];
        drawn.sources.push_back(first + member);
        drawn.groups.push_back(group);
        ++drawn.multiplicities[first + member];
    }
    return drawn;
}

Words padded(Words words) {
    words.resize(words.size() + kSpare, kGarbage);
    return words;
}

/// The first elements; all others must be garbage still.
Words cut(Words found, size_t count) {
    EXPECT_EQ(std::count(found.begin() + static_cast<std::ptrdiff_t>(count), found.end(), kGarbage), found.size() - count);
    found.resize(count);
    return found;
}

/// A layered distribution on the device, with spare capacity.
class Distribution {
public:
    explicit Distribution(const Layers& layers, bool countOnGpu = true)
        : members_(static_cast<uint32_t>(layers.weights.size())), cdf_(testDevice()) {
        gpu::Device& device = testDevice();
        const auto groups = static_cast<uint32_t>(layers.sizes.size());
        table_ = cdf_.table("layers", members_ + kSpare, groups + kSpare);
        const gpu::Buffer weights = device.buffer<uint32_t>("weights", members_ + kSpare);
        const gpu::Buffer sizes = device.buffer<uint32_t>("sizes", groups + kSpare), words = device.buffer<uint32_t>("words", 2);
        device.upload(weights, padded(layers.weights));
        device.upload(sizes, padded(layers.sizes));
        device.upload(words, Words{kGarbage, groups});
        const Count count = countOnGpu ? Count{groups + kSpare, {words, 1}} : Count{groups};
        device.run("build", [&](gpu::Commands& c) { cdf_.record(c, {.weights = weights, .groupSizes = sizes, .table = table_}, count); });
    }

    Drawn draw(Method method, uint32_t draws, Seed seed = {}) const {
        gpu::Device& device = testDevice();
        const gpu::Buffer sources = device.buffer<uint32_t>("sources", draws + kSpare);
        const gpu::Buffer groups = device.buffer<uint32_t>("source groups", draws + kSpare);
        const gpu::Buffer multiplicities = device.buffer<uint32_t>("multiplicities", members_ + kSpare);
        const gpu::Buffer words = device.buffer<uint32_t>("words", 2);
        for (const gpu::Buffer* b : {&sources, &groups, &multiplicities}) device.upload(*b, Words(b->bytes() / sizeof(uint32_t), kGarbage));
        device.upload(words, Words{draws, seed.seed});
        const LayeredCdf::Draw job{.table = table_,
                                   .seed = {words, 1},
                                   .stream = seed.stream,
                                   .sources = sources,
                                   .sourceGroups = groups,
                                   .multiplicities = multiplicities};
        const Count count{draws + kSpare, {words, 0}};
        device.run("draw", [&](gpu::Commands& c) {
            method == Method::systematic ? cdf_.recordSystematic(c, job, count) : cdf_.recordIndependent(c, job, count);
        });
        const Word drawn = table_.drawn();
        const uint32_t made = device.download<uint32_t>(drawn.words(), drawn.index + 1)[drawn.index];
        return {cut(device.download<uint32_t>(sources, draws + kSpare), made), cut(device.download<uint32_t>(groups, draws + kSpare), made),
                cut(device.download<uint32_t>(multiplicities, members_ + kSpare), members_)};
    }

private:
    uint32_t members_;
    LayeredCdf cdf_;
    LayeredCdfTable table_;
};

// ---- Groups to try.

Words randomWords(size_t count, uint32_t below) {
    std::mt19937 random(static_cast<uint32_t>(count) + below);
    Words words(count);
    for (uint32_t& w : words) w = static_cast<uint32_t>(random() % below);
    return words;
}

Layers withSizes(Words sizes, uint32_t below = kMax + 1) {
    const uint32_t members = std::accumulate(sizes.begin(), sizes.end(), 0u);
    return {randomWords(members, below), std::move(sizes)};
}

/// Groups of up to 40 members, a quarter of them empty.
Layers randomLayers(uint32_t groups) {
    Words sizes = randomWords(groups, 54);
    for (uint32_t& size : sizes) size -= std::min(size, 13u);
    return withSizes(sizes);
}

std::vector<Layers> adversaries() {
    std::vector<Layers> all{withSizes({1}),
                            withSizes({0, 0, 1, 0}),
                            withSizes({5, 0, 0, 3, 0}),
                            withSizes({kTile - 1, 1, 1, kTile, 2}),
                            withSizes(Words(3 * size_t{kThreads}, 1)),
                            withSizes({0, 2 * kTile + 1, 0})};
    Layers empty = withSizes({10, 7, kTile, 5});  // groups of zeros at the start, between and at the end
    std::fill(empty.weights.begin(), empty.weights.begin() + 10, 0u);
    std::fill(empty.weights.begin() + 17, empty.weights.begin() + 17 + kTile, 0u);
    all.push_back(empty);
    empty.weights.back() = 0;
    all.push_back(empty);
    all.push_back({Words(5 * size_t{kTile}, kMax), {kTile, kTile, 2 * kTile, kTile}});
    return all;
}

class LayeredCdfTest : public testing::TestWithParam<Method> {
protected:
    static void expectDraws(const Layers& layers, std::initializer_list<uint32_t> numbers) {
        const Distribution d(layers, layers.sizes.size() % 2 == 0);
        for (const uint32_t draws : numbers) {
            const Seed seed{draws, 2 * draws};
            EXPECT_EQ(d.draw(GetParam(), draws, seed), drawOnHost(GetParam(), layers, draws, seed))
                << layers.sizes.size() << " groups, " << layers.weights.size() << " members, " << draws << " draws";
        }
    }
};

TEST(LayeredCdfReference, AgreesWithAHandMadeExample) {
    const Layers layers{{3, 0, 5, 1}, {1, 0, 3}};
    EXPECT_EQ(drawOnHost(Method::systematic, layers, 9, {}),
              (Drawn{{0, 0, 0, 2, 2, 2, 2, 2, 3}, {0, 0, 0, 2, 2, 2, 2, 2, 2}, {3, 0, 5, 1}}));
}

TEST_P(LayeredCdfTest, AgreesWithTheHostAcrossBoundaries) {
    for (const uint32_t groups : {1u, 2u, kThreads - 1, kThreads, kThreads + 1, shared::kScanTile + 1})
        expectDraws(randomLayers(groups), {0, 1, 255, 256, 257});
}

TEST_P(LayeredCdfTest, AgreesWithTheHostOnEmptyGroupsSinglesAndGroupsOfZeros) {
    for (const Layers& layers : adversaries()) expectDraws(layers, {1, 7, 1000});
}

/// As many systematic draws as the sum of the weights have each target once, and draw each member as often as its weight says.
TEST(LayeredCdf, EveryTargetFindsItsGroupAndMember) {
    for (const uint32_t groups : {3u, 100u, kThreads + 1}) {
        Layers layers = randomLayers(groups);
        for (uint32_t& weight : layers.weights) weight %= 3;
        const auto draws = static_cast<uint32_t>(total(sumOnHost(layers.weights)));
        const Drawn drawn = Distribution(layers).draw(Method::systematic, draws);
        EXPECT_EQ(drawn.multiplicities, layers.weights);
        EXPECT_EQ(drawn, drawOnHost(Method::systematic, layers, draws, {}));
    }
}

TEST_P(LayeredCdfTest, NothingToDrawFromDrawsNothing) {
    for (const Layers& layers : {Layers{}, Layers{{}, Words(300, 0)}, Layers{Words(5000, 0), Words(5, 1000)}})
        EXPECT_EQ(Distribution(layers).draw(GetParam(), 100), (Drawn{{}, {}, Words(layers.weights.size())}));
}

TEST_P(LayeredCdfTest, MembersPastTheCapacityAreLeftOut) {
    gpu::Device& device = testDevice();
    const LayeredCdf cdf(device);
    const LayeredCdfTable table = cdf.table("layers", 90, 3);
    const gpu::Buffer weights = device.buffer<uint32_t>("weights", 90), sizes = device.buffer<uint32_t>("sizes", 3);
    const gpu::Buffer seed = device.buffer<uint32_t>("seed", 1), sources = device.buffer<uint32_t>("sources", 500);
    const gpu::Buffer groups = device.buffer<uint32_t>("groups", 500), multiplicities = device.buffer<uint32_t>("multiplicities", 90);
    device.upload(weights, Words(90, 1));
    device.upload(sizes, Words{80, 0xffffffff, 7});
    device.upload(seed, Words{5});
    const LayeredCdf::Draw draw{
        .table = table, .seed = {seed}, .sources = sources, .sourceGroups = groups, .multiplicities = multiplicities};
    device.run("layers", [&](gpu::Commands& c) {
        cdf.record(c, {.weights = weights, .groupSizes = sizes, .table = table}, {3});
        GetParam() == Method::systematic ? cdf.recordSystematic(c, draw, {500}) : cdf.recordIndependent(c, draw, {500});
    });
    const Words source = device.download<uint32_t>(sources, 500), group = device.download<uint32_t>(groups, 500);
    for (size_t i = 0; i < source.size(); ++i) {
        ASSERT_LT(source[i], 90u);
        EXPECT_EQ(group[i], source[i] < 80 ? 0u : 1u);
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, LayeredCdfTest, testing::Values(Method::systematic, Method::independent),
                         [](const auto& p) { return p.param == Method::systematic ? "systematic" : "independent"; });

TEST(LayeredCdf, GroupsAndMembersPassAChiSquareTest) {
    const Layers layers = randomLayers(60);
    constexpr uint32_t kDraws = 1'000'000;
    const Drawn drawn = Distribution(layers).draw(Method::independent, kDraws);
    const double sum = static_cast<double>(total(sumOnHost(layers.weights)));
    std::vector<double> expected(layers.sizes.size()), found(layers.sizes.size());
    double ofMembers = 0, ofGroups = 0, members = 0, groups = 0;
    size_t member = 0;
    for (size_t group = 0; group < layers.sizes.size(); ++group) {
        for (uint32_t i = 0; i < layers.sizes[group]; ++i, ++member) {
            const double share = layers.weights[member] / sum * kDraws;
            expected[group] += share;
            if (share < 10) continue;  // the approximation needs some draws
            ofMembers += std::pow(drawn.multiplicities[member] - share, 2) / share;
            ++members;
        }
    }
    for (const uint32_t group : drawn.groups) ++found[group];
    for (size_t group = 0; group < layers.sizes.size(); ++group) {
        EXPECT_EQ(expected[group] == 0, found[group] == 0);
        if (expected[group] == 0) continue;
        ofGroups += std::pow(found[group] - expected[group], 2) / expected[group];
        ++groups;
    }
    EXPECT_NEAR(ofMembers, members - 1, 4 * std::sqrt(2 * (members - 1)));
    EXPECT_NEAR(ofGroups, groups - 1, 4 * std::sqrt(2 * (groups - 1)));
}

TEST(LayeredCdf, SystematicDrawsGiveEachGroupItsShareRoundedDownOrUp) {
    const Layers layers = randomLayers(3000);
    const Sums sums = sumOnHost(layers.weights);
    constexpr uint32_t kDraws = 100'000;
    Words found(layers.sizes.size());
    for (const uint32_t group : Distribution(layers).draw(Method::systematic, kDraws).groups) ++found[group];
    size_t end = 0;
    uint64_t before = 0;
    for (size_t group = 0; group < found.size(); ++group) {
        end += layers.sizes[group];
        const uint64_t weight = (end == 0 ? 0 : sums[end - 1]) - before, share = kDraws * weight;
        ASSERT_TRUE(share / total(sums) <= found[group] && found[group] <= (share + total(sums) - 1) / total(sums)) << group;
        before += weight;
    }
}

/// Weights from 1e-6 to 1, evenly over their logarithms. 32-bit floats lose many of so many.
TEST(LayeredCdf, NoPositiveWeightOfTenMillionIsLost) {
    constexpr uint32_t kMembers = 10'000'000, kGroups = 1000;
    std::mt19937 random(1);
    Words weights(kMembers);
    for (uint32_t& w : weights)
        w = static_cast<uint32_t>(std::lround(std::pow(10.0, -6.0 * static_cast<double>(random()) / 0xffffffff) * kMax));
    ASSERT_GT(std::ranges::min(weights), 0u);
    gpu::Device& device = testDevice();
    const LayeredCdf cdf(device);
    const LayeredCdfTable table = cdf.table("layers", kMembers, kGroups);
    const gpu::Buffer values = device.buffer<uint32_t>("weights", kMembers), sizes = device.buffer<uint32_t>("sizes", kGroups);
    device.upload(values, weights);
    device.upload(sizes, Words(kGroups, kMembers / kGroups));
    device.run("layers", [&](gpu::Commands& c) { cdf.record(c, {.weights = values, .groupSizes = sizes, .table = table}, {kGroups}); });
    const Words inTile = device.download<uint32_t>(table.members.sums, kMembers);
    const Sums starts = device.download<uint64_t>(table.members.tileStarts, (kMembers + kTile - 1) / kTile);
    const Sums ends = device.download<uint64_t>(table.groupEnds, kGroups), expected = sumOnHost(weights);
    size_t lost = 0, lostByFloats = 0, wrong = 0;
    for (size_t i = 0; i < kMembers; ++i) {
        const uint64_t before = i == 0 ? 0 : starts[(i - 1) / kTile] + inTile[i - 1], sum = starts[i / kTile] + inTile[i];
        lost += sum > before ? 0u : 1u;
        lostByFloats += static_cast<float>(sum) > static_cast<float>(before) ? 0u : 1u;
        wrong += sum == expected[i] ? 0u : 1u;
    }
    for (size_t g = 0; g < kGroups; ++g) wrong += ends[g] == expected[(g + 1) * (kMembers / kGroups) - 1] ? 0u : 1u;
    EXPECT_EQ(lost, 0u);
    EXPECT_EQ(wrong, 0u);
    EXPECT_GT(lostByFloats, kMembers / 20);
}

}  // namespace
}  // namespace splat::primitives
