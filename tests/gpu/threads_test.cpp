// One device for several threads, as a window and training beside it use it.
#include <atomic>
#include <optional>
#include <thread>

#include <gtest/gtest.h>

#include <splatwright/gpu/commands.h>
#include "kernels/gather_tile_counts.h"
#include "support/test_device.h"

namespace splat::gpu {
namespace {

/// Makes buffers, records, submits and reads back, again and again; false when a result was wrong.
bool worksAlone(Device& device, uint32_t seed, int rounds) {
    for (int round = 0; round < rounds; ++round) {
        const uint32_t value = seed + static_cast<uint32_t>(round), count = 300 + value % 100;
        const Buffer whole = device.buffer<uint32_t>("whole", 1024);
        const Buffer indices(whole, 0, "indices", count * sizeof(uint32_t), sizeof(uint32_t));
        const Buffer visible = device.buffer<uint32_t>("visible count", 1), values = device.buffer<uint32_t>("values", 1);
        const Buffer result = device.buffer<uint32_t>("result", count);
        device.upload(visible, std::vector<uint32_t>{count});
        device.upload(values, std::vector<uint32_t>{value});
        Commands commands(device, "gather");
        commands.fill(whole, 0);
        commands.dispatch(
            kernels::gather_tile_counts{.visibleCount = visible, .gaussianFromRank = indices, .tileCounts = values, .rankedCounts = result},
            count);
        commands.end();
        device.wait(device.submit(commands));
        if (device.download<uint32_t>(result, count) != std::vector<uint32_t>(count, value)) return false;
    }
    return true;
}

void twoThreadsWork(Device& device) {
    const int64_t before = device.memoryInUse();
    std::atomic<int> good = 0;
    {
        std::jthread other([&] { good += worksAlone(device, 1000, 60); });
        good += worksAlone(device, 2000, 60);
    }
    EXPECT_EQ(good, 2);
    EXPECT_EQ(device.memoryInUse(), before);
}

TEST(Threads, TwoRecordAndSubmitAtOnce) { twoThreadsWork(testDevice()); }

TEST(Threads, TwoRecordAndSubmitAtOnceWithoutPushDescriptorsAndTransferQueue) {
    Device device(testDeviceOptions({"push-descriptors", "transfer-queue"}));
    twoThreadsWork(device);
    EXPECT_EQ(device.validationMessages(), 0u);
}

TEST(Threads, CopiesBesideWorkArriveOnceEachWhereBothShareTheQueue) {
    for (const auto& disabled : {std::vector<std::string>{}, {"transfer-queue"}}) {
        Device device(testDeviceOptions(disabled));
        const Buffer from = device.buffer<uint32_t>("from", 64, Residence::staging);
        const Buffer to = device.buffer<uint32_t>("to", 64, Residence::streamed);
        std::fill_n(from.mapped<uint32_t>(), 64, 9u);
        {
            std::jthread other([&] {
                const Transfer copy(device, from, to);
                Arrival last;
                for (int i = 0; i < 200; ++i) last = device.transfers().submit(copy, 0);
                EXPECT_EQ(last.value, 200u);
                device.transfers().wait(last);
            });
            EXPECT_TRUE(worksAlone(device, 3000, 30));
        }
        EXPECT_EQ(device.download<uint32_t>(to, 64), std::vector<uint32_t>(64, 9));
        EXPECT_EQ(device.validationMessages(), 0u);
    }
}

TEST(Threads, ARecordingIsSubmittedAndDestroyedByAnother) {
    Device& device = testDevice();
    const Buffer words = device.buffer<uint32_t>("words", 8);
    for (uint32_t round = 0; round < 20; ++round) {
        std::optional<Commands> commands;
        std::jthread([&] {
            commands.emplace(device, "fill");
            commands->fill(words, round);
            commands->end();
        }).join();
        device.wait(device.submit(*commands));
        commands.reset();
        EXPECT_EQ(device.download<uint32_t>(words, 8), std::vector<uint32_t>(8, round));
    }
}

TEST(Threads, WaitingForAllCoversWhatAnotherSubmitted) {
    Device& device = testDevice();
    const Buffer words = device.buffer<uint32_t>("words", 1 << 20);
    Commands commands(device, "fill");
    for (uint32_t i = 0; i < 50; ++i) commands.fill(words, i);
    commands.end();
    Ticket ticket = 0;
    std::jthread([&] { ticket = device.submit(commands); }).join();
    device.waitForAll();
    EXPECT_TRUE(device.done(ticket));
}

TEST(Threads, EachCountsItsOwnWaits) {
    Device& device = testDevice();
    const uint64_t before = device.waits();
    std::jthread([&] {
        const uint64_t none = device.waits();
        device.run("nothing", [](Commands&) {});
        EXPECT_EQ(device.waits(), none + 1);
    }).join();
    EXPECT_EQ(device.waits(), before);
}

}  // namespace
}  // namespace splat::gpu
