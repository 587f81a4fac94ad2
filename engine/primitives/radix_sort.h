#pragma once

#include <span>
#include <string>
#include <string_view>

#include "gpu/commands.h"
#include "primitives/count.h"

namespace splat::primitives {

/// The bits of a key that a sort looks at, [begin, end); the others ride along.
struct BitWindow {
    uint32_t begin = 0;
    uint32_t end = 32;

    constexpr uint32_t bits() const { return end - begin; }
    /// Digits of 8 bits, the last one narrower where the window asks for it.
    constexpr uint32_t passes() const { return (bits() + 7) / 8; }
};

/// How keys lie in memory. u16 halves the keys' traffic and needs the feature `int16-storage`.
enum class KeyStorage { u32, u16 };

/// A sort goes back and forth between the sides; it starts at A.
struct SortBuffers {
    gpu::BufferSlice keysA, payloadA, keysB, payloadB;
};
enum class Side { a, b };

/// Where a sort's result lies: A after an even number of passes. A window of no bits sorts nothing.
constexpr Side resultSide(const BitWindow& window) { return window.passes() % 2 == 0 ? Side::a : Side::b; }
inline gpu::BufferSlice sortedKeys(const SortBuffers& buffers, const BitWindow& window) {
    return resultSide(window) == Side::a ? buffers.keysA : buffers.keysB;
}
inline gpu::BufferSlice sortedPayload(const SortBuffers& buffers, const BitWindow& window) {
    return resultSide(window) == Side::a ? buffers.payloadA : buffers.payloadB;
}

/// What a sort borrows while it runs; any number of sorts may share one, of any key storage and up to its capacity.
struct SortScratch {
    gpu::Buffer histograms;  ///< the digits' totals; then the counts of each digit in each tile
    gpu::Buffer arguments;   ///< group counts, derived from the count on the GPU
};

struct SortVariant;
/// Best first. A row is also a benchmark row and a test parameter.
std::span<const SortVariant> sortVariants();

/// What the start-up self test found, for `info`.
struct SortSelfTest {
    std::string_view variant;  ///< the first available variant that sorted right
    bool passed = false;       ///< false: none did, and the device cannot be used
    std::string failures;      ///< the variants that were tried before and what they got wrong; empty: none
};

/// Stable least-significant-digit radix sort of (key, u32 payload), indirect: the count may lie on the GPU. Make one a device: its
/// construction runs the self test of keys, payload and stability, and picks the variant.
class RadixSort {
public:
    /// Throws Error when no variant sorts right on this device.
    explicit RadixSort(gpu::Device& device);
    /// This variant, untested.
    RadixSort(gpu::Device& device, const SortVariant& variant);

    const SortSelfTest& selfTest() const { return selfTest_; }
    const SortVariant& variant() const { return *variant_; }
    bool supports(KeyStorage storage) const;

    struct Requirements {
        uint64_t histogramBytes = 0;
        uint64_t argumentBytes = 0;

        uint64_t bytes() const { return histogramBytes + argumentBytes; }
    };
    /// For sorts of at most so many pairs, whatever the variant; about half a byte a pair.
    static Requirements requirements(uint32_t capacity);
    static SortScratch scratch(gpu::Device& device, const std::string& name, uint32_t capacity);

    struct Job {
        const SortBuffers& buffers;
        BitWindow window;
        KeyStorage storage = KeyStorage::u32;
        const SortScratch& scratch;
    };
    /// Sorts the first `count` pairs of side A; the result lies on `resultSide(window)`, the other side holds garbage up to the count, and
    /// nothing from the count on is touched.
    void record(gpu::Commands& commands, const Job& job, const Count& count) const;

private:
    gpu::Device* device_;
    const SortVariant* variant_;
    SortSelfTest selfTest_;
};

}  // namespace splat::primitives
