#include <splatwright/core/random.h>

#include <gtest/gtest.h>

namespace splat {
namespace {

using Words = std::array<uint32_t, 4>;

// The vectors of the authors' library, Random123 (tests/kat_vectors).
TEST(Random, PhiloxGivesItsAuthorsNumbers) {
    constexpr uint32_t ones = 0xffffffff;
    EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, EachArgumentMakesADifference) {
    const Words words = random128(1, 2, 3);
    EXPECT_NE(words, random128(2, 2, 3));
    EXPECT_NE(words, random128(1, 3, 3));
    EXPECT_NE(words, random128(1, 2, 4));
    EXPECT_EQ(random32(1, 2, 3), words[0]);
    EXPECT_EQ(random64(1, 2, 3), uint64_t{words[1]} << 32u | words[0]);
}

}  // namespace
}  // namespace splat
