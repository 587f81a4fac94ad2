#include <splatwright/core/byte_budget.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace splat {
namespace {

TEST(ByteBudget, ThreadsTogetherNeverHoldMore) {
    ByteBudget budget(100);
    std::atomic<int> held = 0, most = 0, done = 0;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 8; ++t) {
            threads.emplace_back([&, t] {
                for (int i = 0; i < 200; ++i) {
                    const int bytes = 10 + (7 * t + 13 * i) % 60;
                    const ByteBudget::Share share = budget.take(static_cast<uint64_t>(bytes));
                    const int now = held += bytes;
                    for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
                    }
                    std::this_thread::yield();
                    held -= bytes;
                    ++done;
                }
            });
        }
    }
    EXPECT_EQ(done, 1600);
    EXPECT_LE(most, 100);
    EXPECT_GT(most, 60) << "they wait for each other although there is enough";
}

TEST(ByteBudget, WhatIsLargerThanAllOfItGoesAlone) {
    ByteBudget budget(10);
    std::atomic<int> inside = 0, together = 0, done = 0;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&] {
                for (int i = 0; i < 50; ++i) {
                    const ByteBudget::Share share = budget.take(1000);
                    if (++inside > 1) ++together;
                    std::this_thread::yield();
                    --inside;
                    ++done;
                }
            });
        }
    }
    EXPECT_EQ(done, 200);
    EXPECT_EQ(together, 0);
}

TEST(ByteBudget, AFailureGivesItsShareBack) {
    ByteBudget budget(10);
    for (int i = 0; i < 3; ++i) {
        EXPECT_THROW(
            {
                const ByteBudget::Share share = budget.take(10);
                throw std::runtime_error("while reading");
            },
            std::runtime_error);
    }
}

}  // namespace
}  // namespace splat
