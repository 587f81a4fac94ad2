#include <splatwright/gpu/transfer.h>

#include <gtest/gtest.h>

#include <splatwright/gpu/commands.h>
#include "support/test_device.h"

namespace splat::gpu {
namespace {

/// Streams numbered pieces through one slot that kernels-to-be read: step i keeps piece i in its own place of `kept`.
std::vector<uint32_t> streamed(Device& device, uint32_t pieces, uint32_t words) {
    const Buffer host = device.buffer<uint32_t>("pieces", pieces * words, Residence::staging);
    const Buffer slot = device.buffer<uint32_t>("slot", words, Residence::streamed);
    const Buffer kept = device.buffer<uint32_t>("kept", pieces * words);
    std::vector<Transfer> copies;
    std::vector<Commands> steps;
    for (uint32_t i = 0; i < pieces; ++i) {
        const VkDeviceSize bytes = words * 4;
        std::fill_n(host.mapped<uint32_t>() + i * words, words, i + 1);
        copies.emplace_back(device, host.slice(i * bytes, bytes), slot);
        steps.emplace_back(device, "keep").copy(slot, kept.slice(i * bytes, bytes));
        steps.back().end();
    }
    Ticket last = 0;
    for (uint32_t i = 0; i < pieces; ++i) last = device.submit(steps[i], device.transfers().submit(copies[i], last));
    device.wait(last);
    return device.download<uint32_t>(kept, pieces * words);
}

std::vector<uint32_t> numbered(uint32_t pieces, uint32_t words) {
    std::vector<uint32_t> expected;
    for (uint32_t i = 0; i < pieces; ++i) expected.insert(expected.end(), words, i + 1);
    return expected;
}

TEST(TransferQueue, ACopyArrivesBeforeItsStepAndLeavesTheLastOneAlone) {
    EXPECT_EQ(streamed(testDevice(), 20, 70'000), numbered(20, 70'000));
}

TEST(TransferQueue, CopiesOfAQueueOfTheirOwnArriveInTime) {
    if (!testDevice().has(Feature::transferQueue))
        GTEST_SKIP() << "the transfer queue is not run on this device: it has none beside the compute queue";
    EXPECT_EQ(streamed(testDevice(), 200, 7000), numbered(200, 7000));
}

TEST(TransferQueue, TheComputeQueueCopiesWhereThereIsNoOther) {
    Device device(testDeviceOptions({"transfer-queue"}));
    EXPECT_FALSE(device.has(Feature::transferQueue));
    EXPECT_EQ(device.queueFamilies().size(), 1u);
    EXPECT_EQ(streamed(device, 20, 7000), numbered(20, 7000));
    EXPECT_EQ(device.validationMessages(), 0u);
}

TEST(TransferQueue, NobodyWaitsForCopiesButTheGpu) {
    Device& device = testDevice();
    const Buffer host = device.buffer<uint32_t>("host", 40, Residence::staging);
    const Buffer slots = device.buffer<uint32_t>("slots", 40, Residence::streamed);
    std::vector<Transfer> copies;
    for (VkDeviceSize i = 0; i < 10; ++i) copies.emplace_back(device, host.slice(16 * i, 16), slots.slice(16 * i, 16));
    const uint64_t waits = device.waits();
    Arrival last;
    for (const Transfer& copy : copies) last = device.transfers().submit(copy, 0);
    EXPECT_EQ(device.waits(), waits);
    device.transfers().wait(last);
}

TEST(TransferQueue, SlicesOfUnequalLengthAreRefused) {
    const Buffer host = testDevice().buffer<uint32_t>("host", 8, Residence::staging);
    const Buffer slot = testDevice().buffer<uint32_t>("slot", 4, Residence::streamed);
    EXPECT_THROW(Transfer(testDevice(), host, slot), std::logic_error);
}

}  // namespace
}  // namespace splat::gpu
