#include <splatwright/gpu/commands.h>

#include <algorithm>

#include <gtest/gtest.h>

#include <splatwright/gpu/pipelines.h>
#include <splatwright/shared/dispatch.h>
#include "kernels/blend_backward_bucket.h"
#include "kernels/gather_tile_counts.h"
#include "support/test_device.h"

namespace splat::gpu {
namespace {

/// Gathers tileCounts[0] into the first `count` words of a buffer of `size` words.
std::vector<uint32_t> gathered(Device& device, uint32_t size, uint32_t count) {
    const Buffer visible = device.buffer<uint32_t>("visible count", 1);
    const Buffer indices = device.buffer<uint32_t>("indices", size);
    const Buffer values = device.buffer<uint32_t>("values", 1);
    const Buffer result = device.buffer<uint32_t>("result", size);
    device.upload(visible, std::vector<uint32_t>{count});
    device.upload(values, std::vector<uint32_t>{7});
    device.run("gather", [&](Commands& c) {
        c.fill(indices, 0);
        c.fill(result, 1);
        c.dispatch(
            kernels::gather_tile_counts{.visibleCount = visible, .gaussianFromRank = indices, .tileCounts = values, .rankedCounts = result},
            count);
    });
    return device.download<uint32_t>(result, size);
}

TEST(Commands, AGridBeyondTheFoldCoversEveryThingOnce) {
    const uint32_t count = kFoldedGroups * 256 + 1000;
    const auto result = gathered(testDevice(), count + 500, count);
    EXPECT_EQ(std::count(result.begin(), result.begin() + count, 7u), count);
    EXPECT_EQ(std::count(result.begin() + count, result.end(), 1u), 500);
}

TEST(Commands, EveryCountAcrossAGroupIsCovered) {
    for (const uint32_t count : {0u, 1u, 255u, 256u, 257u, 511u, 512u, 513u}) {
        const auto result = gathered(testDevice(), 600, count);
        EXPECT_EQ(std::count(result.begin(), result.end(), 7u), count);
    }
}

TEST(Commands, DependentWorkRunsInOrderWithoutBarriersByHand) {
    Device& device = testDevice();
    const Buffer a = device.buffer<uint32_t>("a", 1024);
    const Buffer b = device.buffer<uint32_t>("b", 1024);
    device.run("chain", [&](Commands& c) {
        for (uint32_t round = 0; round < 50; ++round) {
            c.fill(a, round);
            c.copy(a, b);
        }
    });
    EXPECT_EQ(device.download<uint32_t>(b, 1024), std::vector<uint32_t>(1024, 49));
}

/// The synchronization validation of the layer sees what the tracker forgets.
TEST(Commands, GroupCountsAreWrittenAnewOnlyAfterTheDispatchThatReadThem) {
    Device device(testDeviceOptions());
    if (!device.instance().validates()) GTEST_SKIP() << "without the validation layer nobody looks";
    const Buffer visible = device.buffer<uint32_t>("visible count", 1), indices = device.buffer<uint32_t>("indices", 300);
    const Buffer values = device.buffer<uint32_t>("values", 1), result = device.buffer<uint32_t>("result", 300);
    const Buffer groups = device.buffer<shared::DispatchArguments>("groups", 1);
    device.upload(visible, std::vector<uint32_t>{300});
    device.upload(indices, std::vector<uint32_t>(300, 0));
    device.upload(groups, std::vector{shared::DispatchArguments{.x = 2, .y = 1, .z = 1}});
    device.run("gather", [&](Commands& c) {
        c.fill(values, 7);  // so that the dispatch needs a barrier for another buffer than its group counts
        c.dispatchIndirect(
            kernels::gather_tile_counts{.visibleCount = visible, .gaussianFromRank = indices, .tileCounts = values, .rankedCounts = result},
            groups);
        c.fill(groups, 0);
    });
    EXPECT_EQ(device.download<uint32_t>(result, 300), std::vector<uint32_t>(300, 7));
    EXPECT_EQ(device.validationMessages(), 0u);
}

/// Kernels, transfers and group counts wait on their own: a barrier for one of them is none for the others.
TEST(Commands, EachStageWaitsForWhatItReads) {
    Device device(testDeviceOptions());
    if (!device.instance().validates()) GTEST_SKIP() << "without the validation layer nobody looks";
    const Buffer visible = device.buffer<uint32_t>("visible count", 1), indices = device.buffer<uint32_t>("indices", 300);
    const Buffer values = device.buffer<uint32_t>("values", 1), first = device.buffer<uint32_t>("first", 300);
    const Buffer second = device.buffer<uint32_t>("second", 300), copied = device.buffer<uint32_t>("copied", 300);
    const Buffer prepared = device.buffer<shared::DispatchArguments>("prepared groups", 1);
    const Buffer groups = device.buffer<shared::DispatchArguments>("groups", 1);
    device.upload(visible, std::vector<uint32_t>{300});
    device.upload(indices, std::vector<uint32_t>(300, 0));
    device.upload(prepared, std::vector{shared::DispatchArguments{.x = 2, .y = 1, .z = 1}});
    const auto gather = [&](const Buffer& to) {
        return kernels::gather_tile_counts{.visibleCount = visible, .gaussianFromRank = indices, .tileCounts = values, .rankedCounts = to};
    };
    device.run("gather twice", [&](Commands& c) {
        c.copy(prepared, groups);
        c.fill(values, 7);
        c.dispatch(gather(first), 300);              // waits for the values, and so for the copy of the groups
        c.dispatchIndirect(gather(second), groups);  // the front end has not waited for it
        c.copy(first, copied);                       // nor has a transfer waited for the kernel
        c.copy(prepared, groups);
    });
    EXPECT_EQ(device.download<uint32_t>(second, 300), std::vector<uint32_t>(300, 7));
    EXPECT_EQ(device.download<uint32_t>(copied, 300), std::vector<uint32_t>(300, 7));
    EXPECT_EQ(device.validationMessages(), 0u);
}

TEST(Commands, ARecordingRunsAnyNumberOfTimes) {
    Device& device = testDevice();
    const Buffer a = device.buffer<uint32_t>("a", 2);
    device.upload(a, std::vector<uint32_t>{1, 0});
    Commands commands(device, "again");
    commands.copy(a.slice(0, 4), a.slice(4, 4));
    commands.end();
    const uint64_t waits = device.waits();
    Ticket last = 0;
    for (int i = 0; i < 20; ++i) last = device.submit(commands);
    EXPECT_EQ(device.waits(), waits);
    device.wait(last);
    EXPECT_TRUE(device.done(last));
    EXPECT_EQ(device.download<uint32_t>(a, 2), (std::vector<uint32_t>{1, 1}));
}

TEST(Commands, StagesAreTimedInTheirOrder) {
    Device& device = testDevice();
    const Buffer a = device.buffer<uint32_t>("a", 1 << 20);
    Commands commands(device, "stages");
    commands.stage("first");
    commands.fill(a, 1);
    commands.stage("second");
    commands.fill(a, 2);
    commands.end();
    device.wait(device.submit(commands));
    EXPECT_EQ(commands.stages(), (std::vector<std::string>{"first", "second"}));
    for (const double ms : commands.stageMilliseconds()) EXPECT_GE(ms, 0);
    ASSERT_EQ(commands.stageMilliseconds().size(), 2u);
}

TEST(Commands, WorkWithoutPushDescriptorsIsTheSame) {
    Device device(testDeviceOptions({"push-descriptors"}));
    const auto result = gathered(device, 1000, 300);
    EXPECT_EQ(std::count(result.begin(), result.end(), 7u), 300);
    EXPECT_EQ(device.validationMessages(), 0u);
}

TEST(Commands, WorkBesideALaterDeviceOfFewerFeatures) {
    Device& device = testDevice();
    const Device fewer(testDeviceOptions({"all"}));
    const auto result = gathered(device, 1000, 300);
    EXPECT_EQ(std::count(result.begin(), result.end(), 7u), 300);
}

TEST(Commands, AKernelThatNeedsASwitchedOffFeatureSaysWhich) {
    for (const char* feature : {"subgroup-operations", "float-atomics", "subgroup-size-control"}) {
        DeviceOptions options = testDeviceOptions();
        options.disabled = {feature};  // this one alone, whatever the environment switches off
        options.profile.clear();
        Device device(options);
        try {
            device.pipeline(kernels::blend_backward_bucket{}.pack());
            FAIL() << "made without " << feature;
        } catch (const Error& e) {
            EXPECT_NE(std::string(e.what()).find(feature), std::string::npos) << e.what();
            EXPECT_NE(std::string(e.what()).find("blend_backward_bucket"), std::string::npos) << e.what();
        }
    }
}

TEST(Buffer, AnImpossibleSizeIsRefusedByName) {
    Device& device = testDevice();
    try {
        const Buffer b(device, "everything", VkDeviceSize{1} << 50u, 4, Residence::device);
        FAIL() << "a petabyte was allocated";
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("everything"), std::string::npos) << e.what();
    }
}

}  // namespace
}  // namespace splat::gpu
