#include <splatwright/train/step/view_order.h>

#include <set>
#include <vector>

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

TEST(ViewOrder, EveryEpochIsAShuffleOfItsOwn) {
    constexpr uint32_t kViews = 50;
    ViewOrder order(kViews, 1);
    std::set<std::vector<size_t>> epochs;
    std::vector<size_t> sums(kViews);
    constexpr uint32_t kEpochs = 400;
    for (uint32_t epoch = 0; epoch < kEpochs; ++epoch) {
        std::vector<size_t> views;
        for (uint32_t i = 0; i < kViews; ++i) views.push_back(order[kViews * epoch + i]);
        for (size_t i = 0; i < kViews; ++i) sums[i] += views[i];
        epochs.insert(views);
    }
    EXPECT_EQ(epochs.size(), kEpochs);
    for (const size_t sum : sums) EXPECT_NEAR(static_cast<double>(sum) / kEpochs, 24.5, 5 * 14.43 / 20);  // five standard errors
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
