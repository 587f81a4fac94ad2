#include <splatwright/gpu/device.h>

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include <splatwright/gpu/check.h>
#include <splatwright/gpu/commands.h>
#include <splatwright/gpu/download.h>
#include <splatwright/gpu/kernel_needs.h>
#include <splatwright/shared/dispatch.h>
#include "kernels/plan_dispatch.h"
#include "support/test_device.h"

namespace splat::gpu {
namespace {

/// Messages of validation when a buffer is written twice without a barrier.
uint64_t messagesOnMissingBarrier(Validation validation) {
    DeviceOptions options = testDeviceOptions();
    options.validation = validation;
    Device device(options);
    const Buffer buffer = device.buffer<uint32_t>("buffer", 4);
    const BufferSlice words = buffer;
    device.run("race", [&](Commands& c) {
        for (uint32_t value = 0; value < 2; ++value) vkCmdFillBuffer(c.handle(), words.buffer, words.offset, 16, value);
    });
    return device.validationMessages();
}

TEST(Validation, OfSynchronizationSeesAMissingBarrier) {
    if (testDeviceOptions().validation == Validation::kNone) GTEST_SKIP() << "no validation layer";
    EXPECT_EQ(messagesOnMissingBarrier(Validation::kCore), 0u);
    EXPECT_GT(messagesOnMissingBarrier(Validation::kSynchronization), 0u);
}

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

TEST(Dispatch, CountsUpToTheLargestWordHaveGroupsThatTheDeviceTakes) {
    Device& device = testDevice();
    const std::vector<uint32_t> words{0xffffffff, 0xffffff01, 0xffffffff, 1u << 31u};
    const Buffer counts = device.buffer<uint32_t>("counts", 4);
    device.upload(counts, words);
    const Buffer arguments = device.buffer<shared::DispatchArguments>("arguments", 4);
    const glm::uvec4 perGroup{256, 256, 1, 1};
    device.run("plan", [&](Commands& c) {
        c.dispatchGroups(
            kernels::plan_dispatch{
                .counts = counts, .arguments = arguments, .rows = 4, .countIndex = {0, 1, 2, 3}, .thingsPerGroup = perGroup},
            1);
    });
    const auto found = device.download<shared::DispatchArguments>(arguments, 4);
    for (glm::length_t i = 0; i < 4; ++i) {
        const uint64_t groups = (uint64_t{words[static_cast<size_t>(i)]} + perGroup[i] - 1) / perGroup[i];
        const auto& grid = found[static_cast<size_t>(i)];
        EXPECT_LE(grid.y, 65535u) << "row " << i;
        EXPECT_GE(uint64_t{grid.x} * grid.y, std::min<uint64_t>(groups, uint64_t{kFoldedGroups} * shared::kMostFolds)) << "row " << i;
    }
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

TEST(Buffer, SlicesAreDownloadedTogetherInOneSubmissionPer64MiB) {
    Device& device = testDevice();
    std::vector<uint32_t> numbers(size_t{20} << 20u);  // 80 MiB
    std::iota(numbers.begin(), numbers.end(), 7u);
    const Buffer buffer = device.buffer<uint32_t>("numbers", numbers.size());
    device.upload(buffer, numbers);
    std::vector<uint32_t> some(3), all(numbers.size()), last(2);
    const auto bytesOf = [](std::vector<uint32_t>& words) { return std::as_writable_bytes(std::span(words)); };
    const Download parts[] = {
        {buffer.slice(20, 12), bytesOf(some)}, {buffer, {}}, {buffer, bytesOf(all)}, {buffer.slice(buffer.bytes() - 8, 8), bytesOf(last)}};
    const Ticket before = device.queue().last();
    download(device, parts);
    EXPECT_EQ(device.queue().last(), before + 2);
    EXPECT_EQ(some, (std::vector<uint32_t>{12, 13, 14}));
    EXPECT_TRUE(all == numbers);
    EXPECT_EQ(last, (std::vector<uint32_t>{numbers.end()[-2], numbers.back()}));
}

TEST(Device, AnUnknownFeatureNameListsTheKnownOnes) {
    try {
        const Device device({.disabled = {"warp-drive"}});
        FAIL() << "an unknown feature was accepted";
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("push-descriptors"), std::string::npos);
    }
}

TEST(Features, RowsStandInTheOrderOfTheEnumerationBehindWhatTheyNeed) {
    for (size_t i = 0; i < featureTable().size(); ++i) {
        const FeatureRow& row = featureTable()[i];
        EXPECT_EQ(static_cast<size_t>(row.feature), i) << row.name;
        EXPECT_TRUE(!row.needs || *row.needs < row.feature) << row.name;
        EXPECT_EQ(featureByName(row.name), row.feature);
    }
}

TEST(Features, EachIsDisabledByItsNameWithThoseThatNeedIt) {
    for (const FeatureRow& disabled : featureTable()) {
        const Device device(testDeviceOptions({std::string(disabled.name)}));
        for (const FeatureRow& row : featureTable()) {
            const bool off = row.feature == disabled.feature || row.needs == disabled.feature;
            EXPECT_EQ(device.has(row.feature), testDevice().has(row.feature) && !off) << row.name << " without " << disabled.name;
            EXPECT_EQ(missingFor(device, row.feature).empty(), device.has(row.feature)) << row.name;
        }
        EXPECT_EQ(device.validationMessages(), 0u) << disabled.name;
    }
}

TEST(Features, KernelsNameTheFeatureOfTheirIntegers) {
    constexpr uint32_t kInt64[] = {11}, kInt64Atomics[] = {12};  // SPIR-V capabilities
    KernelInfo integers = kernels::plan_dispatch::info(), atomics = integers;
    integers.capabilities = kInt64;
    atomics.capabilities = kInt64Atomics;
    const Device withoutIntegers(testDeviceOptions({"int64"})), withoutAtomics(testDeviceOptions({"int64-atomics"}));
    EXPECT_TRUE(missingFor(withoutIntegers, integers).starts_with("'int64'"));
    EXPECT_TRUE(missingFor(withoutIntegers, atomics).starts_with("'int64-atomics'"));
    EXPECT_TRUE(missingFor(withoutAtomics, atomics).starts_with("'int64-atomics'"));
    EXPECT_EQ(missingFor(withoutAtomics, integers).empty(), testDevice().has(Feature::int64));
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

const std::vector<DeviceDescription> kMachine{{.name = "Software (LLVM 15, 256 bits)", .type = "cpu"},
                                              {.name = "Old 1080", .type = "discrete", .unsuitable = "Vulkan 1.1, expected 1.2"},
                                              {.name = "On the board", .type = "integrated"},
                                              {.name = "New 4090", .type = "discrete"}};

TEST(ChooseDevice, TheFastestKindThatCanBeUsedIsTaken) {
    std::vector<DeviceDescription> machine = kMachine;
    EXPECT_EQ(chooseDevice(machine, ""), 3u);
    machine[3].unsuitable = "it cannot show pictures in this window";
    EXPECT_EQ(chooseDevice(machine, ""), 2u);
    machine[2].unsuitable = machine[3].unsuitable;
    EXPECT_EQ(chooseDevice(machine, ""), 0u);
    machine[0].unsuitable = machine[3].unsuitable;
    EXPECT_THROW(chooseDevice(machine, ""), Error);
}

TEST(ChooseDevice, AnIndexGoesBeforeANameThatHoldsIt) {
    EXPECT_EQ(chooseDevice(kMachine, "1"), 1u);
    EXPECT_EQ(chooseDevice(kMachine, "15"), 0u);
    EXPECT_EQ(chooseDevice(kMachine, "4090"), 3u);
    EXPECT_EQ(chooseDevice(kMachine, "Old"), 1u);
    EXPECT_THROW(chooseDevice(kMachine, "7"), InputError);
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
