#include <algorithm>
#include <numeric>

#include <splatwright/core/rng.h>
#include <splatwright/primitives/sort_variants.h>

namespace splat::primitives {

namespace {

constexpr uint32_t kAlign = 256;  // elements; bytes would do, and this holds for both key storages

/// One sort of the self test: range of its pairs in the shared buffers.
struct Case {
    uint32_t size;
    KeyStorage storage;
    bool many;  ///< uses the path for many tiles: planned on the GPU, with a scan of the counts
    uint32_t first;

    uint32_t keyBytes() const { return storage == KeyStorage::u32 ? 4 : 2; }
    BitWindow window() const { return {.begin = 0, .end = 8 * keyBytes()}; }
};

/// All cases run in one submission, so that the test costs two copies and one wait.
struct Bench {
    std::vector<Case> cases;
    std::vector<uint32_t> keys, payload;  // a case's keys start at byte 4 * first for any storage
    gpu::Buffer keysA, payloadA, keysB, payloadB, counts;

    SortBuffers buffersOf(const Case& c) const {
        const auto part = [&](const gpu::Buffer& buffer, uint32_t bytes) {
            return gpu::BufferSlice{static_cast<gpu::BufferSlice>(buffer).buffer, uint64_t{c.first} * 4,
                                    std::max(uint64_t{c.size} * bytes, uint64_t{4}), 0};
        };
        return {part(keysA, c.keyBytes()), part(payloadA, 4), part(keysB, c.keyBytes()), part(payloadB, 4)};
    }
    uint32_t key(const std::vector<uint32_t>& words, const Case& c, uint32_t i) const {
        if (c.storage == KeyStorage::u32) return words[c.first + i];
        return words[c.first + i / 2] >> (16 * (i % 2)) & 0xffff;
    }
};

/// Keys of the largest case: more tiles than a thread looks back at once.
uint32_t mostKeys(const SortVariant& variant) {
    return (variant.spine == SortSpine::lookBack ? shared::kSortWindow + 3 : 2) * variant.tile + 17;
}

Bench makeBench(gpu::Device& device, const SortVariant& variant) {
    const uint32_t tile = variant.tile;
    Bench b;
    uint32_t first = 0;
    const auto add = [&](uint32_t size, KeyStorage storage, bool many) {
        b.cases.push_back({size, storage, many, first});
        first += (size / kAlign + 1) * kAlign;
    };
    for (uint32_t size : {0u, 1u, tile - 1, tile, tile + 1}) add(size, KeyStorage::u32, size % 2 == 0);
    for (const bool many : {false, true}) {
        add(mostKeys(variant), KeyStorage::u32, many);
        if (device.has(gpu::Feature::int16Storage)) add(mostKeys(variant), KeyStorage::u16, many);
    }
    const size_t words = b.cases.back().first + mostKeys(variant) + kAlign;
    b.keys.resize(words);
    b.payload.resize(words);
    // Few bits of each digit are set, and not often, so that equal keys show whether the sort is stable.
    Rng rng(variant.tile);
    for (uint32_t& key : b.keys) key = static_cast<uint32_t>(rng.next() & rng.next() & rng.next() & 0x8f8f8f8f);
    std::iota(b.payload.begin(), b.payload.end(), 0u);
    b.keysA = device.buffer<uint32_t>("self test keys A", words);
    b.keysB = device.buffer<uint32_t>("self test keys B", words);
    b.payloadA = device.buffer<uint32_t>("self test payload A", words);
    b.payloadB = device.buffer<uint32_t>("self test payload B", words);
    b.counts = device.buffer<uint32_t>("self test counts", b.cases.size());
    std::vector<uint32_t> counts;
    for (const Case& c : b.cases) counts.push_back(c.size);
    device.upload(b.keysA, b.keys);
    device.upload(b.payloadA, b.payload);
    device.upload(b.counts, counts);
    return b;
}

std::string compare(const Bench& b, const Case& c, const std::vector<uint32_t>& keys, const std::vector<uint32_t>& payload) {
    std::vector<uint32_t> order(c.size);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t l, uint32_t r) { return b.key(b.keys, c, l) < b.key(b.keys, c, r); });
    for (uint32_t i = 0; i < c.size; ++i) {
        const uint32_t expected = b.key(b.keys, c, order[i]);
        const uint32_t found = b.key(keys, c, i);
        if (found != expected) return fmt::format("{} keys: key {:#x} at {}, expected {:#x}", c.size, found, i, expected);
        if (payload[c.first + i] != b.payload[c.first + order[i]]) return fmt::format("{} keys: wrong payload at {}", c.size, i);
    }
    return "";
}

}  // namespace

std::string testSortVariant(gpu::Device& device, const SortVariant& variant) {
    const Bench b = makeBench(device, variant);
    const SortVariant manyTiles = forManyTiles(variant);
    const RadixSort sort(device, variant), sortMany(device, manyTiles);
    const SortScratch scratch = RadixSort::scratch(device, "self test", mostKeys(variant));
    device.run("sort self test", [&](gpu::Commands& commands) {
        for (uint32_t i = 0; i < b.cases.size(); ++i) {
            const Case& c = b.cases[i];
            const RadixSort& tested = c.many ? sortMany : sort;
            tested.record(commands, {.buffers = b.buffersOf(c), .window = c.window(), .storage = c.storage, .scratch = scratch},
                          {c.size, {b.counts, i}});
        }
    });
    const std::vector<uint32_t> keys = device.download<uint32_t>(b.keysA, b.keys.size());
    const std::vector<uint32_t> payload = device.download<uint32_t>(b.payloadA, b.payload.size());
    for (const Case& c : b.cases) {
        if (std::string failure = compare(b, c, keys, payload); !failure.empty()) return failure;
    }
    return "";
}

}  // namespace splat::primitives
