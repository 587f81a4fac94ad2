#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <splatwright/gpu/commands.h>
#include <splatwright/primitives/count.h>
#include <splatwright/primitives/variant_choice.h>

namespace splat::primitives {

/// The bits of a key that are sorted by, [begin, end).
struct BitWindow {
    uint32_t begin = 0;
    uint32_t end = 32;

    constexpr uint32_t bits() const { return end - begin; }
    /// Number of digits, of at most 8 bits each.
    constexpr uint32_t passes() const { return (bits() + 7) / 8; }
    /// Bits per digit, as equal as possible: wider digits scatter to more places. The last one may be narrower.
    constexpr uint32_t digitBits() const { return bits() == 0 ? 0 : (bits() + passes() - 1) / passes(); }
};

/// Storage type of keys. u16 halves the keys' memory traffic and needs the feature `int16-storage`.
enum class KeyStorage { u32, u16 };

/// A sort alternates between the two sides of its buffers, starting at A.
struct SortBuffers {
    gpu::BufferSlice keysA, payloadA, keysB, payloadB;
};
enum class Side { a, b };

/// The side of a sort's result: A after an even number of passes. An empty window sorts nothing.
constexpr Side resultSide(const BitWindow& window) { return window.passes() % 2 == 0 ? Side::a : Side::b; }
inline gpu::BufferSlice sortedKeys(const SortBuffers& buffers, const BitWindow& window) {
    return resultSide(window) == Side::a ? buffers.keysA : buffers.keysB;
}
inline gpu::BufferSlice sortedPayload(const SortBuffers& buffers, const BitWindow& window) {
    return resultSide(window) == Side::a ? buffers.payloadA : buffers.payloadB;
}

/// Temporary buffers of a sort. Any number of sorts up to its capacity may share them, of any key storage.
struct SortScratch {
    gpu::Buffer histograms;  ///< counts or states per digit and tile
    gpu::Buffer counters;    ///< totals per digit
    gpu::Buffer arguments;   ///< group counts, derived from the count on the GPU
};

struct SortVariant;
/// In the order in which they are tried. A row is also a benchmark row and a test parameter.
std::span<const SortVariant> sortVariants();

/// Result of the start-up self test, for `info`.
struct SortSelfTest {
    std::string variant;   ///< the first available variants that sorted correctly, with ascending capacities; the last one sorts any number
    bool passed = false;   ///< false: no variant passed, and the device cannot be used
    std::string failures;  ///< variants that failed before, with reasons; empty: none
    std::vector<VariantChoice> choices;  ///< of all variants, in the order in which they are tried
};

/// Stable least-significant-digit radix sort of (key, u32 payload) pairs; the count may be on the GPU. The first one on a device
/// runs the self test of keys, payload and stability, and picks the variants for all.
class RadixSort {
public:
    /// Throws Error if no variant sorts correctly on this device.
    explicit RadixSort(gpu::Device& device);
    /// Uses this variant alone, without a self test.
    RadixSort(gpu::Device& device, const SortVariant& variant);

    const SortSelfTest& selfTest() const { return selfTest_; }
    /// The variant that sorts up to so many pairs.
    const SortVariant& variantFor(uint32_t capacity) const;
    bool supports(KeyStorage storage) const;

    struct Requirements {
        uint64_t histogramBytes = 0;
        uint64_t counterBytes = 0;
        uint64_t argumentBytes = 0;

        uint64_t bytes() const { return histogramBytes + counterBytes + argumentBytes; }
    };
    /// Buffers for sorts of up to `capacity` pairs with any variant; about half a byte per pair.
    static Requirements requirements(uint32_t capacity);
    static SortScratch scratch(gpu::Device& device, const std::string& name, uint32_t capacity);

    struct Job {
        const SortBuffers& buffers;
        BitWindow window;
        KeyStorage storage = KeyStorage::u32;
        const SortScratch& scratch;
        /// shared::kSortCounters words that the caller has filled with zeros for this sort; empty: the sort fills its own, which is one more command
        /// that all others wait for.
        gpu::BufferSlice zeros{};
    };
    /// Sorts the first `count` pairs of side A. The result is on `resultSide(window)`; the other side is undefined up to the count, and elements
    /// from the count on are unchanged.
    void record(gpu::Commands& commands, const Job& job, const Count& count) const;

private:
    gpu::Device* device_;
    std::vector<const SortVariant*> variants_;  // with ascending capacities
    SortSelfTest selfTest_;
};

}  // namespace splat::primitives
