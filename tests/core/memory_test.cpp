#include <splatwright/core/memory.h>

#include <sys/resource.h>
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace splat {
namespace {

// From below a large page to several slices of them.
TEST(Memory, AFastResizeIsAResize) {
    for (const size_t count : {size_t{0}, size_t{10}, size_t{1} << 20u, size_t{3} << 20u, (size_t{25} << 20u) + 1}) {
        std::vector<int> values;
        resizeFast(values, count);
        EXPECT_EQ(values.size(), count);
        EXPECT_TRUE(std::ranges::all_of(values, [](int value) { return value == 0; }));
        std::ranges::fill(values, 7);
        resizeFast(values, count + 5);
        EXPECT_EQ(std::ranges::count(values, 7), static_cast<std::ptrdiff_t>(count)) << "of values that were there";
        resizeFast(values, count / 2);
        EXPECT_EQ(values.size(), count / 2);
    }
}

TEST(Memory, PopulatingKeepsWhatIsThere) {
    std::vector<int> values(size_t{8} << 20u, 3);
    populate(values.data(), values.size() * sizeof(int));
    populate(values.data() + 1, 0);
    EXPECT_TRUE(std::ranges::all_of(values, [](int value) { return value == 3; }));
}

TEST(Memory, WhatIsFreedIsKeptIfAskedFor) {
    keepFreedMemory(size_t{16} << 20U);
    const auto pageFaults = [] {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        return usage.ru_minflt;
    };
    const auto takeAndFree = [](char value) {
        const std::vector<char> bytes(size_t{4} << 20U, value);  // at least 1024 pages, unless they are large
        EXPECT_EQ(bytes.back(), value);
    };
    takeAndFree(1);
    const auto before = pageFaults();
    for (char value = 2; value < 52; ++value) takeAndFree(value);
    EXPECT_LT(pageFaults() - before, 1024);
}

}  // namespace
}  // namespace splat
