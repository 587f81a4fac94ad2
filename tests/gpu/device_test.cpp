#include "gpu/device.h"

#include <gtest/gtest.h>

#include "gpu/check.h"
#include "gpu/commands.h"
#include "kernels/plan_dispatch.h"
#include "shared/structs.h"
#include "support/test_device.h"

namespace splat::gpu {
namespace {

TEST(Dispatch, GroupCountsComeFromCountsOnTheGpu) {
    Device& device = testDevice();
    const Buffer counts = device.buffer<uint32_t>("counts", 4);
    device.upload(counts, std::vector<uint32_t>{0, 1, 257, 32768 * 256 + 1});
    const Buffer arguments = device.buffer<shared::DispatchArguments>("arguments", 4);
    device.run("plan", [&](Commands& c) {
        c.dispatchGroups(
            kernels::plan_dispatch{
                .counts = counts, .arguments = arguments, .rows = 4, .countIndex = {0, 1, 2, 3}, .thingsPerGroup = glm::uvec4(256)},
            1);
    });
    const auto found = device.download<shared::DispatchArguments>(arguments, 4);
    EXPECT_EQ(found[0].x, 0u);
    EXPECT_EQ(found[1].x, 1u);
    EXPECT_EQ(found[2].x, 2u);
    EXPECT_EQ(found[3].x, 32768u);
    EXPECT_EQ(found[3].y, 2u);
}

TEST(Dispatch, AnEmptyBufferIsRefusedByKernelAndMember) {
    const Buffer counts = testDevice().buffer<uint32_t>("counts", 4);
    try {
        testDevice().run("plan", [&](Commands& c) { c.dispatchGroups(kernels::plan_dispatch{.counts = counts}, 1); });
        FAIL() << "an empty buffer was accepted";
    } catch (const std::logic_error& e) {
        EXPECT_NE(std::string(e.what()).find("plan_dispatch"), std::string::npos);
        EXPECT_NE(std::string(e.what()).find("arguments"), std::string::npos);
    }
}

TEST(Buffer, UploadAndDownloadAreInverse) {
    const std::vector<uint32_t> words{1, 2, 3, 0xffffffff};
    const Buffer buffer = testDevice().buffer<uint32_t>("words", words.size());
    testDevice().upload(buffer, words);
    EXPECT_EQ(testDevice().download<uint32_t>(buffer, words.size()), words);
}

TEST(Device, AnUnknownFeatureNameListsTheKnownOnes) {
    try {
        const Device device({.disabled = {"warp-drive"}});
        FAIL() << "an unknown feature was accepted";
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("push-descriptors"), std::string::npos);
    }
}

TEST(Device, MemoryLimitHoldsForAllBuffersTogether) {
    DeviceOptions options = testDeviceOptions();
    options.memoryLimit = 8 << 20;
    Device device(options);
    EXPECT_EQ(device.memoryTotal(), options.memoryLimit);
    const Buffer first = device.buffer<uint32_t>("first", 1 << 20);
    EXPECT_THROW(device.buffer<uint32_t>("second", (1 << 20) + 1), OutOfMemory);
    EXPECT_NO_THROW(device.buffer<uint32_t>("second", 1 << 20));
}

TEST(Device, IsLostWhenAskedFor) {
    DeviceOptions options = testDeviceOptions();
    options.loseAtSubmission = 3;
    Device device(options);
    const auto submit = [&] { device.run("nothing", [](Commands&) {}); };
    submit();
    submit();
    EXPECT_THROW(submit(), DeviceLost);
    EXPECT_THROW(submit(), DeviceLost);
}

}  // namespace
}  // namespace splat::gpu
