#include <gtest/gtest.h>

constexpr int kFile = 2;
#include "inline_copies.h"

namespace splat {
namespace {

// `b` outlasts the call.
template <int file>
[[gnu::noinline]] int product(int a, int b) {
    return doubled<file>(a) * b;
}

TEST(InlineCopies, OfTheOtherFileLeaveTheValuesOfTheSecond) {
    volatile int unknown = 7;
    EXPECT_EQ(product<1>(unknown, unknown), 98);
    EXPECT_EQ(product<2>(unknown, unknown), 98);
}

}  // namespace
}  // namespace splat
