// What lasts of the Gaussians from step to step, when its buffers become larger or smaller.
#include <splatwright/train/model/store.h>

#include <map>

#include <gtest/gtest.h>

#include <splatwright/gpu/check.h>
#include <splatwright/render/frame.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include "scene/scratch.h"
#include "support/test_device.h"
#include "train/stored_words.h"

namespace splat {
namespace {

constexpr uint32_t kCount = 300, kCapacity = 512;

/// Fills every word of every buffer with another number.
void number(gpu::Device& device, GaussianStore& store) {
    uint32_t next = 1;
    for (const StoredBuffer& b : store.buffers()) {
        std::vector<uint32_t> words(size_t{b.values->words()} * b.values->planes() * store.model.capacity);
        for (uint32_t& word : words) word = next++;
        setWords(*b.values, words, device);
    }
    device.upload(store.model.count, std::vector{kCount});
}

/// The words of each section for the first Gaussians.
std::map<std::string, std::vector<uint32_t>> sectionsOf(gpu::Device& device, GaussianStore& store, uint32_t gaussians) {
    std::map<std::string, std::vector<uint32_t>> all;
    for (const StoredBuffer& b : store.buffers()) all[std::string(b.name)] = wordsOf<uint32_t>(*b.values, gaussians, device);
    return all;
}

uint64_t bytesOf(const PlanarBuffer& planes) {
    uint64_t bytes = 0;
    for (const gpu::Buffer& buffer : planes.buffers()) bytes += buffer.bytes();
    return bytes;
}

TEST(GaussianStore, HasEveryBufferOfTheModelItsMomentsAndTheStatistics) {
    for (const bool statistics : {false, true}) {
        GaussianStore store(testDevice(), kCapacity, statistics);
        size_t words = 0;
        for (const StoredBuffer& b : store.buffers()) words += size_t{b.values->words()} * b.values->planes();
        EXPECT_EQ(words, 3 * (3 + 4 + 3 + 1 + 3) + 2 * 45 + (statistics ? 3u : 0u));
    }
}

TEST(GaussianStore, HasThe3dFiltersWhileTheyAreKept) {
    GaussianStore store(testDevice(), kCapacity, false);
    const size_t buffers = store.buffers().size();
    store.filter3d(true);
    ASSERT_EQ(store.buffers().size(), buffers + 1);
    EXPECT_EQ(wordsOf<float>(*store.buffers().back().values, kCapacity), std::vector<float>(kCapacity, 0));
    store.filter3d(false);
    EXPECT_EQ(store.buffers().size(), buffers);
}

TEST(GaussianStore, HasAnAverageOfEveryAttributeWhileTheyAreKept) {
    GaussianStore store(testDevice(), kCapacity, false);
    const auto without = sectionsOf(testDevice(), store, kCount);
    store.keepAverages(true);
    const auto with = sectionsOf(testDevice(), store, kCount);
    EXPECT_EQ(with.size(), without.size() + std::size(kAttributes));
    for (const AttributeRow& row : kAttributes)
        EXPECT_EQ(with.at("average " + std::string(row.section)).size(), with.at(std::string(row.section)).size());
    store.keepAverages(false);
    EXPECT_EQ(sectionsOf(testDevice(), store, kCount).size(), without.size());
}

TEST(GaussianStore, AnotherCapacityKeepsEveryWordOfEveryAttributeAndZeroesTheRest) {
    for (const uint32_t capacity : {1024u, 768u, 512u}) {
        GaussianStore store(testDevice(), kCapacity, true);
        store.filter3d(true);
        store.keepAverages(true);
        number(testDevice(), store);
        const auto before = sectionsOf(testDevice(), store, kCapacity);
        store.resize(capacity);
        EXPECT_EQ(store.model.capacity, capacity);
        EXPECT_EQ(store.count(), kCount);
        const auto after = sectionsOf(testDevice(), store, kCapacity);
        for (const auto& [name, words] : before) EXPECT_TRUE(after.at(name) == words) << name << " at capacity " << capacity;
        for (const StoredBuffer& b : store.buffers()) {
            const auto words = wordsOf<uint32_t>(*b.values, capacity);
            ASSERT_EQ(bytesOf(*b.values), words.size() * sizeof(uint32_t)) << b.name;
            for (size_t i = 0; i < words.size(); ++i) {
                if (i / b.values->words() % capacity < kCapacity) continue;
                ASSERT_EQ(words[i], 0u) << b.name << " word " << i;
            }
        }
    }
}

TEST(GaussianStore, ASmallerCapacityKeepsWhatFits) {
    GaussianStore store(testDevice(), kCapacity, true);
    number(testDevice(), store);
    const auto before = sectionsOf(testDevice(), store, kCount);
    store.resize(1024);
    store.resize(kCount + 20);
    EXPECT_EQ(sectionsOf(testDevice(), store, kCount), before);
}

/// Limits at which growth runs out of memory in different buffers, with more or less memory left to undo it in.
class ScarceStore : public testing::TestWithParam<uint32_t> {};

TEST_P(ScarceStore, WithoutMemoryForMoreNothingIsLost) {
    gpu::DeviceOptions options = testDeviceOptions();
    options.memoryLimit = VkDeviceSize{GetParam()} << 10u;
    gpu::Device device(options);
    constexpr uint32_t kHad = 16'384, kTooMany = 24'576;
    GaussianStore store(device, kHad, true);
    number(device, store);
    const auto before = sectionsOf(device, store, kHad);
    EXPECT_THROW(store.resize(kTooMany), gpu::OutOfMemory);
    EXPECT_EQ(store.model.capacity, kHad);
    EXPECT_EQ(sectionsOf(device, store, kHad), before);
    for (const StoredBuffer& b : store.buffers()) EXPECT_EQ(bytesOf(*b.values), b.values->bytes() * b.values->planes() * kHad) << b.name;
    EXPECT_EQ(device.validationMessages(), 0u);
}
INSTANTIATE_TEST_SUITE_P(Limits, ScarceStore, testing::Values(10120, 10300, 10600, 11000, 11600, 12200, 12900));

TEST(GaussianStore, IsSavedInOneSubmissionAfterItsCountIsRead) {
    GaussianStore store(testDevice(), kCapacity, true);
    number(testDevice(), store);
    const gpu::Ticket before = testDevice().queue().last();
    const auto sections = store.save();
    EXPECT_EQ(testDevice().queue().last(), before + 2);
    EXPECT_EQ(sections.size(), store.buffers().size());
}

TEST(GaussianStore, SavedAndLoadedAtAnotherCapacityItIsTheSame) {
    GaussianStore store(testDevice(), kCapacity, true);
    number(testDevice(), store);
    Checkpoint checkpoint;
    checkpoint.sections = store.save();
    for (const uint32_t capacity : {256u, kCapacity, 1024u}) {
        GaussianStore other(testDevice(), capacity, true);
        other.load(checkpoint, kCount);
        EXPECT_EQ(other.count(), kCount);
        EXPECT_GE(other.model.capacity, kCount);
        EXPECT_EQ(sectionsOf(testDevice(), other, kCount), sectionsOf(testDevice(), store, kCount)) << capacity;
    }
}

TEST(GaussianStore, ACountThatCannotBeTrainedIsRefusedAndChangesNothing) {
    GaussianStore store(testDevice(), kCapacity, true);
    number(testDevice(), store);
    const auto before = sectionsOf(testDevice(), store, kCapacity);
    Checkpoint none{.path = "forged.splat-ckpt"};  // as of a model without Gaussians: sections of the right length, 0
    for (const StoredBuffer& b : store.buffers()) none.sections.push_back({std::string(b.name), b.values->words() * 4, {}});
    for (const uint32_t count : {0u, FrameCapacity::kMostTrained + 1, UINT32_MAX}) {
        test::expectInputError([&] { store.load(none, count); },
                               {"forged.splat-ckpt", fmt::format("gaussians is {}, expected 1 to 16777216", count)});
    }
    EXPECT_EQ(store.count(), kCount);
    EXPECT_EQ(sectionsOf(testDevice(), store, kCapacity), before);
}

}  // namespace
}  // namespace splat
