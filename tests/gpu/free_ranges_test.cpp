#include <splatwright/gpu/free_ranges.h>

#include <random>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace splat::gpu {
namespace {

struct Taken {
    uint64_t offset, bytes;
};

/// The obvious allocator: one flag per byte.
class Reference {
public:
    explicit Reference(size_t bytes) : taken_(bytes, false) {}

    bool isFree(uint64_t offset, uint64_t bytes) const {
        for (uint64_t i = offset; i < offset + bytes; ++i)
            if (i >= taken_.size() || taken_[i]) return false;
        return true;
    }
    bool fits(uint64_t bytes, uint64_t alignment) const {
        for (uint64_t offset = 0; offset + bytes <= taken_.size(); offset += alignment)
            if (isFree(offset, bytes)) return true;
        return false;
    }
    void mark(const Taken& t, bool taken) {
        for (uint64_t i = t.offset; i < t.offset + t.bytes; ++i) taken_[i] = taken;
    }

private:
    std::vector<bool> taken_;
};

TEST(FreeRanges, RandomUseAgreesWithOneFlagPerByte) {
    constexpr uint64_t kBytes = 600;
    for (uint32_t seed = 0; seed < 30; ++seed) {
        std::mt19937 random(seed);
        FreeRanges ranges(kBytes);
        Reference reference(kBytes);
        std::vector<Taken> taken;
        for (int step = 0; step < 400; ++step) {
            if (taken.empty() || random() % 5 < 3) {
                const uint64_t bytes = 1 + random() % 60, alignment = uint64_t{1} << random() % 6;
                const auto offset = ranges.take(bytes, alignment);
                ASSERT_EQ(offset.has_value(), reference.fits(bytes, alignment)) << "seed " << seed << ", step " << step;
                if (!offset) continue;
                ASSERT_EQ(*offset % alignment, 0u);
                ASSERT_TRUE(reference.isFree(*offset, bytes)) << "seed " << seed << ", step " << step;
                taken.push_back({*offset, bytes});
                reference.mark(taken.back(), true);
            } else {
                std::swap(taken[random() % taken.size()], taken.back());
                ranges.giveBack(taken.back().offset, taken.back().bytes);
                reference.mark(taken.back(), false);
                taken.pop_back();
            }
            ASSERT_EQ(ranges.allFree(), taken.empty());
        }
        for (const Taken& t : taken) ranges.giveBack(t.offset, t.bytes);
        EXPECT_TRUE(ranges.allFree());
        EXPECT_EQ(ranges.take(kBytes, 1), 0u);
    }
}

TEST(FreeRanges, WhatIsFreeAlreadyIsRefused) {
    FreeRanges ranges(100);
    ASSERT_EQ(ranges.take(40, 1), 0u);
    ASSERT_EQ(ranges.take(40, 1), 40u);
    EXPECT_THROW(ranges.giveBack(70, 20), std::logic_error);
    ranges.giveBack(0, 40);
    EXPECT_THROW(ranges.giveBack(0, 40), std::logic_error);
    EXPECT_THROW(ranges.giveBack(20, 40), std::logic_error);
    EXPECT_THROW(ranges.giveBack(90, 20), std::logic_error);
}

}  // namespace
}  // namespace splat::gpu
