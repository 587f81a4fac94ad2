// Percentiles against a sort on the host, exactly, for any number of numbers and any numbers.
#include <splatwright/view/percentiles.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include "support/test_device.h"

namespace splat {
namespace {

using Bits = std::pair<uint32_t, uint32_t>;
constexpr Bits kNone{UINT32_MAX, 0};

Bits found(const std::vector<float>& numbers, bool fromZero = false) {
    gpu::Device& device = testDevice();
    const gpu::Buffer buffer = device.buffer<float>("numbers", std::max<size_t>(numbers.size(), 1));
    const gpu::Buffer range = device.buffer<uint32_t>("range", 2);
    if (!numbers.empty()) device.upload(buffer, numbers);
    const Percentiles percentiles(device);
    for (int times = 0; times < 2; ++times)  // the second search begins with nothing of the first
        device.run("percentiles",
                   [&](gpu::Commands& c) { percentiles.record(c, buffer, static_cast<uint32_t>(numbers.size()), range, fromZero); });
    const auto words = device.download<uint32_t>(range, 2);
    return {words[0], words[1]};
}

/// The definition: of the sorted numbers, those with a hundredth of all others before and after them.
Bits expected(std::vector<float> numbers, bool fromZero = false) {
    std::erase_if(numbers, [](float n) { return !std::isfinite(n) || n < 0; });
    if (numbers.empty()) return kNone;
    std::ranges::sort(numbers);
    const size_t off = (numbers.size() - 1) / 100;
    const float low = fromZero ? 0 : std::abs(numbers[off]), high = std::abs(numbers[numbers.size() - 1 - off]);
    return {std::bit_cast<uint32_t>(low), std::bit_cast<uint32_t>(high)};
}

TEST(PercentilesReference, IsTheHandComputedOne) {
    std::vector<float> numbers;
    for (int i = 200; i >= 0; --i) numbers.push_back(static_cast<float>(i));
    EXPECT_EQ(expected(numbers), Bits(std::bit_cast<uint32_t>(2.0F), std::bit_cast<uint32_t>(198.0F)));
    EXPECT_EQ(expected({3}), Bits(std::bit_cast<uint32_t>(3.0F), std::bit_cast<uint32_t>(3.0F)));
    EXPECT_EQ(expected({-1, NAN}), kNone);
}

TEST(Percentiles, AreThoseOfASortForEverySizeAcrossGroups) {
    constexpr size_t kGroup = size_t{256} * 16;  // numbers of a group of count_digits
    Rng rng(1);
    for (const size_t count : {size_t{0}, size_t{1}, size_t{2}, size_t{100}, size_t{101}, size_t{255}, size_t{256}, size_t{257}, kGroup - 1,
                               kGroup, kGroup + 1, 3 * kGroup + 17}) {
        std::vector<float> numbers(count);
        for (float& n : numbers) n = static_cast<float>(std::exp(rng.uniform(-10, 10)));
        EXPECT_EQ(found(numbers), expected(numbers)) << count;
    }
}

TEST(Percentiles, NumbersThatShareTheirFirstDigitsAreToldApart) {
    Rng rng(2);
    std::vector<float> close(5000), equal(5000, 0.25F), two(5000, 1.0F);
    for (float& n : close) n = std::bit_cast<float>(0x3f800000u + static_cast<uint32_t>(rng.below(3000)));
    for (size_t i = 0; i < 60; ++i) two[i] = 1e-30F;
    for (const auto* numbers : {&close, &equal, &two}) EXPECT_EQ(found(*numbers), expected(*numbers));
}

TEST(Percentiles, WhatIsNoNumberDoesNotCount) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    Rng rng(3);
    std::vector<float> numbers;
    for (int i = 0; i < 3000; ++i) {
        numbers.push_back(static_cast<float>(rng.uniform()));
        for (const float none : {NAN, kInfinity, -kInfinity, -1.0F}) numbers.push_back(none);
    }
    EXPECT_EQ(found(numbers), expected(numbers));
    EXPECT_EQ(found({NAN, -1, kInfinity}), kNone);
    EXPECT_EQ(found({0, -0.0F, 1e-40F, std::numeric_limits<float>::max()}),
              Bits(0, std::bit_cast<uint32_t>(std::numeric_limits<float>::max())));
}

TEST(Percentiles, AHeatMapStartsAtZero) {
    std::vector<float> numbers(500, 7.0F);
    EXPECT_EQ(found(numbers, true), expected(numbers, true));
    EXPECT_EQ(found({}, true), kNone);
}

TEST(Percentiles, OrderDoesNotMatter) {
    Rng rng(4);
    std::vector<float> numbers(10'000);
    for (float& n : numbers) n = static_cast<float>(rng.uniform() * rng.uniform());
    const Bits before = found(numbers);
    std::ranges::sort(numbers);
    EXPECT_EQ(found(numbers), before);
}

}  // namespace
}  // namespace splat
