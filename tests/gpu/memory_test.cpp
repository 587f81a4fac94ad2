// Many small buffers in few allocations.
#include <splatwright/gpu/memory.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <random>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include <splatwright/gpu/check.h>
#include <splatwright/gpu/commands.h>
#include <splatwright/gpu/memory_budget.h>
#include "support/test_device.h"

namespace splat::gpu {
namespace {

constexpr Residence kResidences[] = {Residence::device, Residence::streamed, Residence::readback, Residence::staging};

/// Fills every buffer with its index in one submission, then expects that none was overwritten by another.
void expectNoOverlap(Device& device, const std::vector<Buffer>& buffers) {
    device.run("fill", [&](Commands& c) {
        for (uint32_t i = 0; i < buffers.size(); ++i) c.fill(buffers[i], i);
    });
    const Buffer ends = device.buffer<uint32_t>("ends", 2 * buffers.size(), Residence::readback);
    device.run("gather", [&](Commands& c) {
        for (size_t i = 0; i < buffers.size(); ++i) {
            const VkDeviceSize last = buffers[i].bytes() / 4 * 4 - 4;
            c.copy(buffers[i].slice(0, 4), ends.slice(8 * i, 4));
            c.copy(buffers[i].slice(last, 4), ends.slice(8 * i + 4, 4));
        }
    });
    for (size_t i = 0; i < 2 * buffers.size(); ++i) ASSERT_EQ(ends.mapped<uint32_t>()[i], i / 2) << "buffer " << i / 2;
}

TEST(Memory, TwoThousandSmallBuffersNeedFewAllocations) {
    DeviceOptions options = testDeviceOptions();
    options.allocationLimit = 200;
    Device device(options);
    const int64_t before = device.memoryInUse();
    {
        std::vector<Buffer> thumbnails;
        for (size_t i = 0; i < 2000; ++i) thumbnails.push_back(device.buffer<uint32_t>("thumbnail", 32 * (20 + i % 5)));
        expectNoOverlap(device, thumbnails);
        EXPECT_LE(device.memory().allocations(), 20u);
        EXPECT_GE(device.memory().reserved(), static_cast<VkDeviceSize>(device.memoryInUse()));
    }
    EXPECT_EQ(device.memoryInUse(), before);
    EXPECT_LE(device.memory().allocations(), 3u) << "at most one spare block for each kind of memory";
    EXPECT_EQ(device.validationMessages(), 0u);
}

TEST(Memory, TooManyAllocationsAreRefusedByName) {
    DeviceOptions options = testDeviceOptions();
    options.allocationLimit = 3;
    Device device(options);
    std::vector<std::unique_ptr<Memory>> images;
    const MemoryRequest request{
        .name = "photograph", .needs = {.size = 4096, .alignment = 256, .memoryTypeBits = UINT32_MAX}, .dedicated = true};
    try {
        for (int i = 0; i < 4; ++i) images.push_back(std::make_unique<Memory>(device.memory(), request));
        FAIL() << "more allocations than the device grants";
    } catch (const OutOfMemory& problem) {
        EXPECT_NE(std::string(problem.what()).find("photograph"), std::string::npos) << problem.what();
        EXPECT_NE(std::string(problem.what()).find("3 allocations"), std::string::npos) << problem.what();
    }
    EXPECT_EQ(device.memory().allocations(), 3u);
}

/// Drivers grant less than there is when other programs use the rest.
TEST(Memory, WhatTheDriverDoesNotGrantIsRefusedBeforeItIsAllocated) {
    Device device(testDeviceOptions());
    constexpr VkDeviceSize kMiB = 1 << 20;
    device.known<BudgetQuery>(kBudgetQuery,
                              [] { return [] { return std::optional(MemoryBudget{.bytes = 64 * kMiB, .used = 48 * kMiB}); }; });
    const uint32_t before = device.memory().allocations();
    try {
        const Buffer huge(device, "huge", 20 * kMiB, 4, Residence::device);
        FAIL() << "more than the driver grants";
    } catch (const OutOfMemory& problem) {
        const std::string text = problem.what();
        for (const char* part : {"'huge' needs 20.0 MiB", "48.0 MiB in use", "grants this process 64.0 MiB"})
            EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
    }
    EXPECT_EQ(device.memory().allocations(), before);
    EXPECT_NO_THROW(Buffer(device, "small", 10 * kMiB, 4, Residence::device));
}

TEST(Memory, TheDriversBudgetIsWithinItsHeap) {
    Device device(testDeviceOptions());
    const auto budget = memoryBudget(device);
    if (budget) {
        EXPECT_GT(budget->bytes, 0u);
        EXPECT_LE(budget->bytes, largestDeviceHeap(device.physical()));
    } else {  // then nothing is refused for it
        EXPECT_NO_THROW(checkBudget(device, "huge", VkDeviceSize{1} << 50u));
    }
}

TEST(Memory, RequestsBeginAtWholeCacheLinesWhateverTheDriverAsksFor) {
    Device device(testDeviceOptions());
    std::vector<std::unique_ptr<Memory>> small;
    for (VkDeviceSize i = 0; i < 100; ++i) {
        const MemoryRequest request{.name = "small", .needs = {.size = 16 + 4 * i, .alignment = 16, .memoryTypeBits = UINT32_MAX}};
        small.push_back(std::make_unique<Memory>(device.memory(), request));
        EXPECT_EQ(small.back()->offset() % 256, 0u) << i;
    }
}

TEST(Memory, RandomUseKeepsEveryBuffersContents) {
    Device device(testDeviceOptions());
    const int64_t before = device.memoryInUse();
    std::mt19937 random(7);
    std::vector<std::pair<uint32_t, Buffer>> buffers;
    for (uint32_t step = 0; step < 300; ++step) {
        if (buffers.empty() || random() % 3 > 0) {
            const size_t words = 1 + random() % 3000;
            buffers.emplace_back(step, device.buffer<uint32_t>("random", words, kResidences[random() % 4]));
            device.run("fill", [&](Commands& c) { c.fill(buffers.back().second, step); });
        } else {
            std::swap(buffers[random() % buffers.size()], buffers.back());
            const auto& [value, buffer] = buffers.back();
            const size_t words = buffer.bytes() / sizeof(uint32_t);
            ASSERT_EQ(device.download<uint32_t>(buffer, words), std::vector<uint32_t>(words, value)) << "step " << step;
            buffers.pop_back();
        }
    }
    buffers.clear();
    EXPECT_EQ(device.memoryInUse(), before);
    EXPECT_LE(device.memory().allocations(), 3u) << "at most one spare block for each kind of memory";
    EXPECT_EQ(device.validationMessages(), 0u);
}

/// Counts the driver's allocations while it exists, in place of volk's functions. Opening another device would undo that.
class DriverAllocations {
public:
    DriverAllocations() {
        allocate_ = std::exchange(vkAllocateMemory, [](VkDevice device, const VkMemoryAllocateInfo* info,
                                                       const VkAllocationCallbacks* callbacks, VkDeviceMemory* memory) {
            ++count_;
            return allocate_(device, info, callbacks, memory);
        });
        free_ = std::exchange(vkFreeMemory, [](VkDevice device, VkDeviceMemory memory, const VkAllocationCallbacks* callbacks) {
            --count_;
            free_(device, memory, callbacks);
        });
    }
    ~DriverAllocations() {
        vkAllocateMemory = allocate_;
        vkFreeMemory = free_;
    }
    DriverAllocations(const DriverAllocations&) = delete;
    DriverAllocations& operator=(const DriverAllocations&) = delete;

    uint32_t count() const { return count_; }

private:
    static inline PFN_vkAllocateMemory allocate_ = nullptr;
    static inline PFN_vkFreeMemory free_ = nullptr;
    static inline uint32_t count_ = 0;
};

TEST(Memory, TheDriverGetsEveryAllocationBack) {
    auto device = std::make_unique<Device>(testDeviceOptions());
    ASSERT_EQ(device->memory().allocations(), 0u);
    const DriverAllocations driver;
    {
        std::vector<Buffer> buffers;
        for (const Residence residence : kResidences)
            for (const size_t words : {size_t{100}, size_t{1000}, size_t{1'000'000}})
                buffers.push_back(device->buffer<uint32_t>("buffer", words, residence));
        EXPECT_GT(driver.count(), 0u);  // where residences share a kind of memory, or blocks are large, fewer than buffers
        EXPECT_EQ(driver.count(), device->memory().allocations());
    }
    EXPECT_EQ(driver.count(), device->memory().allocations());
    EXPECT_GT(driver.count(), 0u) << "a spare block of each kind of memory";
    device.reset();
    EXPECT_EQ(driver.count(), 0u);
}

TEST(Memory, MappedBuffersOfOneBlockAreApart) {
    Device& device = testDevice();
    std::vector<Buffer> buffers;
    for (uint32_t i = 0; i < 50; ++i) {
        buffers.push_back(device.buffer<uint32_t>("mapped", 7 + i, Residence::staging));
        std::fill_n(buffers.back().mapped<uint32_t>(), 7 + i, i);
    }
    for (uint32_t i = 0; i < 50; ++i)
        EXPECT_EQ(device.download<uint32_t>(buffers[i], 7 + i), std::vector<uint32_t>(7 + i, i)) << "buffer " << i;
}

TEST(Memory, AliasesLieInTheirOwnersPartOfABlock) {
    Device& device = testDevice();
    const Buffer before = device.buffer<uint32_t>("before", 100);
    const Buffer owner = device.buffer<std::byte>("owner", 4096);
    const Buffer after = device.buffer<uint32_t>("after", 100);
    Arena arena(owner);
    const Buffer first = arena.take<uint32_t>("first", 64), second = arena.take<uint32_t>("second", 64);
    device.run("fill", [&](Commands& c) {
        c.fill(before, 1);
        c.fill(owner, 2);
        c.fill(after, 3);
        c.fill(second, 4);
    });
    EXPECT_EQ(device.download<uint32_t>(first, 64), std::vector<uint32_t>(64, 2));
    const auto words = device.download<uint32_t>(owner, 1024);
    EXPECT_EQ(std::ranges::count(words, 4u), 64);
    EXPECT_EQ(device.download<uint32_t>(before, 100), std::vector<uint32_t>(100, 1));
    EXPECT_EQ(device.download<uint32_t>(after, 100), std::vector<uint32_t>(100, 3));
}

TEST(Memory, ALimitSmallerThanABlockCanBeUsedUp) {
    DeviceOptions options = testDeviceOptions();
    options.memoryLimit = 640 << 10;  // less than the smallest block
    Device device(options);
    std::vector<Buffer> buffers;
    while (device.memoryInUse() + (64 << 10) <= 640 << 10) buffers.push_back(device.buffer<std::byte>("part", 64 << 10));
    EXPECT_GE(buffers.size(), 9u);
    EXPECT_THROW(device.buffer<std::byte>("too much", 64 << 10), OutOfMemory);
    EXPECT_LE(device.memory().reserved(), options.memoryLimit);
    buffers.pop_back();
    EXPECT_NO_THROW(device.buffer<std::byte>("part", 64 << 10));
}

TEST(Memory, ThreadsAllocateAndFreeAtOnce) {
    Device& device = testDevice();
    const int64_t before = device.memoryInUse();
    std::atomic<int> good = 0;
    const auto work = [&](uint32_t seed) {
        std::mt19937 random(seed);
        std::vector<Buffer> buffers;
        for (int i = 0; i < 400; ++i) {
            buffers.push_back(device.buffer<uint32_t>("mine", 1 + random() % 500, Residence::staging));
            std::fill_n(buffers.back().mapped<uint32_t>(), buffers.back().bytes() / 4, seed);
            const Buffer& other = buffers[random() % buffers.size()];
            if (std::count(other.mapped<uint32_t>(), other.mapped<uint32_t>() + other.bytes() / 4, seed) !=
                static_cast<std::ptrdiff_t>(other.bytes() / 4))
                return;
            if (random() % 2) buffers.erase(buffers.begin() + static_cast<std::ptrdiff_t>(random() % buffers.size()));
        }
        ++good;
    };
    {
        std::jthread first(work, 1), second(work, 2);
        work(3);
    }
    EXPECT_EQ(good, 3);
    EXPECT_EQ(device.memoryInUse(), before);
}

}  // namespace
}  // namespace splat::gpu
