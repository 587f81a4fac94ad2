#include "train/view_order.h"

#include <set>

#include <gtest/gtest.h>

namespace splat {
namespace {

TEST(ViewOrder, EveryEpochVisitsEveryViewOnce) {
    ViewOrder order(7, 1);
    for (uint32_t epoch = 0; epoch < 5; ++epoch) {
        std::set<size_t> seen;
        for (uint32_t i = 0; i < 7; ++i) seen.insert(order[7 * epoch + i]);
        EXPECT_EQ(seen.size(), 7u) << "epoch " << epoch;
    }
}

TEST(ViewOrder, AStepMeansTheSameViewWheneverItIsAsked) {
    ViewOrder forwards(11, 3);
    std::vector<size_t> views;
    for (uint32_t step = 0; step < 40; ++step) views.push_back(forwards[step]);
    ViewOrder backwards(11, 3);
    for (uint32_t step = 40; step-- > 0;) EXPECT_EQ(backwards[step], views[step]);
}

TEST(ViewOrder, AnotherSeedGivesAnotherOrder) {
    ViewOrder a(50, 1), b(50, 2);
    size_t same = 0;
    for (uint32_t step = 0; step < 50; ++step) same += a[step] == b[step];
    EXPECT_LT(same, 20u);
}

}  // namespace
}  // namespace splat
