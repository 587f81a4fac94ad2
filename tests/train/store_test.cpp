// What lasts of the Gaussians from step to step, when its buffers become larger or smaller.
#include "train/store.h"

#include <map>

#include <gtest/gtest.h>

#include "gpu/check.h"
#include "support/test_device.h"

namespace splat {
namespace {

constexpr uint32_t kCount = 300, kCapacity = 512;

/// Fills every word of every attribute with another number.
void number(gpu::Device& device, GaussianStore& store) {
    uint32_t next = 1;
    for (const Attribute& a : store.attributes()) {
        std::vector<uint32_t> words(size_t{a.words} * a.planes * store.model.capacity);
        for (uint32_t& word : words) word = next++;
        device.upload(a.buffer->words(), words);
    }
    device.upload(store.model.count, std::vector{kCount});
}

/// The words of each attribute: [plane][Gaussian][word] for the first Gaussians of every plane.
std::map<std::string, std::vector<uint32_t>> wordsOf(gpu::Device& device, GaussianStore& store, uint32_t gaussians) {
    std::map<std::string, std::vector<uint32_t>> all;
    for (const Attribute& a : store.attributes()) {
        const auto words = device.download<uint32_t>(a.buffer->words(), size_t{a.words} * a.planes * store.model.capacity);
        auto& kept = all[std::string(a.name)];
        for (size_t plane = 0; plane < a.planes; ++plane) {
            const auto begin = words.begin() + static_cast<std::ptrdiff_t>(plane * a.words * store.model.capacity);
            kept.insert(kept.end(), begin, begin + static_cast<std::ptrdiff_t>(a.words) * gaussians);
        }
    }
    return all;
}

TEST(GaussianStore, HasEveryBufferOfTheModelItsMomentsAndTheStatistics) {
    for (const bool statistics : {false, true}) {
        GaussianStore store(testDevice(), kCapacity, statistics);
        size_t words = 0;
        for (const Attribute& a : store.attributes()) words += size_t{a.words} * a.planes;
        EXPECT_EQ(words, 3 * (3 + 4 + 3 + 1 + 3 + 45) + (statistics ? 3u : 0u));
    }
}

TEST(GaussianStore, AnotherCapacityKeepsEveryWordOfEveryAttributeAndZeroesTheRest) {
    for (const uint32_t capacity : {1024u, 768u, 512u}) {
        GaussianStore store(testDevice(), kCapacity, true);
        number(testDevice(), store);
        const auto before = wordsOf(testDevice(), store, kCapacity);
        store.resize(capacity);
        EXPECT_EQ(store.model.capacity, capacity);
        EXPECT_EQ(store.count(), kCount);
        const auto after = wordsOf(testDevice(), store, kCapacity);
        for (const auto& [name, words] : before) EXPECT_TRUE(after.at(name) == words) << name << " at capacity " << capacity;
        for (const Attribute& a : store.attributes()) {
            const auto words = testDevice().download<uint32_t>(a.buffer->words(), size_t{a.words} * a.planes * capacity);
            ASSERT_EQ(a.buffer->bytes(), words.size() * sizeof(uint32_t)) << a.name;
            for (size_t i = 0; i < words.size(); ++i) {
                if (i / a.words % capacity < kCapacity) continue;
                ASSERT_EQ(words[i], 0u) << a.name << " word " << i;
            }
        }
    }
}

TEST(GaussianStore, ASmallerCapacityKeepsWhatFits) {
    GaussianStore store(testDevice(), kCapacity, true);
    number(testDevice(), store);
    const auto before = wordsOf(testDevice(), store, kCount);
    store.resize(1024);
    store.resize(kCount + 20);
    EXPECT_EQ(wordsOf(testDevice(), store, kCount), before);
}

TEST(GaussianStore, WithoutMemoryForMoreNothingIsLost) {
    gpu::DeviceOptions options = testDeviceOptions();
    options.memoryLimit = VkDeviceSize{16} << 20u;
    gpu::Device device(options);
    GaussianStore store(device, kCapacity, true);
    number(device, store);
    const auto before = wordsOf(device, store, kCapacity);
    // The largest attributes still fit at this capacity, all of them together do not.
    constexpr uint32_t kTooMany = 24'576;
    EXPECT_THROW(store.resize(kTooMany), gpu::OutOfMemory);
    EXPECT_EQ(store.model.capacity, kCapacity);
    EXPECT_EQ(wordsOf(device, store, kCapacity), before);
    for (const Attribute& a : store.attributes()) EXPECT_EQ(a.buffer->bytes(), a.bytes() * a.planes * kCapacity) << a.name;
    EXPECT_EQ(device.validationMessages(), 0u);
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
        EXPECT_EQ(wordsOf(testDevice(), other, kCount), wordsOf(testDevice(), store, kCount)) << capacity;
    }
}

}  // namespace
}  // namespace splat
