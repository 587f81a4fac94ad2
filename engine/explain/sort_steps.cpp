#include <splatwright/explain/sort_steps.h>

#include <algorithm>
#include <unordered_map>

#include <splatwright/core/error.h>
#include <splatwright/primitives/scan.h>
#include <splatwright/primitives/sort_variants.h>

namespace splat::explain {

namespace {

using primitives::BitWindow;
using primitives::RadixSort;
using primitives::SortVariant;

constexpr uint32_t kDigitBits = 8;

/// The variant that the device would sort by, of those that leave their counts in memory: look-back passes them on from group to group.
const SortVariant& countingVariant(gpu::Device& device) {
    const SortVariant* found = nullptr;
    const auto own = device.isSoftware() ? primitives::TunedFor::software : primitives::TunedFor::gpu;
    for (const SortVariant& variant : primitives::sortVariants()) {
        if (variant.spine == primitives::SortSpine::lookBack || !variant.available(device)) continue;
        if (!found || (found->tunedFor != own && variant.tunedFor == own)) found = &variant;
    }
    SPLAT_CHECK(found, "no sort runs on {}", device.name());
    return *found;
}

/// Where each number of a payload is after a pass.
std::vector<uint32_t> placesIn(const std::vector<uint32_t>& after, const std::vector<uint32_t>& before) {
    std::unordered_map<uint32_t, uint32_t> place;
    for (uint32_t i = 0; i < after.size(); ++i) place[after[i]] = i;
    std::vector<uint32_t> places;
    for (const uint32_t number : before) places.push_back(place.at(number));
    return places;
}

/// The pairs on the device, and a sort that takes them pass by pass.
class PassByPass {
public:
    PassByPass(gpu::Device& device, const SortedPairs& pairs)
        : device_(device),
          variant_(primitives::forManyTiles(countingVariant(device))),
          sort_(device, variant_),
          scan_(device),
          // A second tile, which stays empty: a single one is counted where it is scattered, and its counts stay in the group.
          capacity_(std::max(2 * variant_.tile, static_cast<uint32_t>(pairs.keys.size()))),
          count_(device.buffer<uint32_t>("count of explained keys", 1)),
          total_(device.buffer<uint32_t>("total of explained digits", 1)),
          prefix_(device.buffer<uint32_t>("prefix sums of explained digits", shared::kSortDigits)),
          keys_{device.buffer<uint32_t>("explained keys ping", capacity_), device.buffer<uint32_t>("explained keys pong", capacity_)},
          payload_{device.buffer<uint32_t>("explained payload ping", capacity_),
                   device.buffer<uint32_t>("explained payload pong", capacity_)},
          scratch_(RadixSort::scratch(device, "explained sort", capacity_)),
          scanScratch_(scan_.scratch("explained digits", shared::kSortDigits)),
          pairs_(static_cast<uint32_t>(pairs.keys.size())) {
        device.upload(count_, std::vector{pairs_});
        device.upload(keys_[0], pairs.keys);
        device.upload(payload_[0], pairs.payload);
    }

    std::string_view variant() const { return variant_.name; }

    RadixPass pass(uint32_t index) {
        const uint32_t from = index % 2, to = 1 - from;
        const primitives::SortBuffers buffers{keys_[from], payload_[from], keys_[to], payload_[to]};
        const BitWindow window{index * kDigitBits, (index + 1) * kDigitBits};
        device_.run("explained pass", [&](gpu::Commands& c) {
            sort_.record(c, {.buffers = buffers, .window = window, .scratch = scratch_}, {capacity_, {count_}});
            scan_.record(c, {scratch_.counters, prefix_, {total_}, scanScratch_}, {shared::kSortDigits});
        });
        RadixPass read{.firstBit = window.begin,
                       .histogram = device_.download<uint32_t>(scratch_.counters, shared::kSortDigits),
                       .prefix = device_.download<uint32_t>(prefix_, shared::kSortDigits),
                       .after = {device_.download<uint32_t>(keys_[to], pairs_), device_.download<uint32_t>(payload_[to], pairs_)},
                       .places = {}};
        read.places = placesIn(read.after.payload, device_.download<uint32_t>(payload_[from], pairs_));
        return read;
    }

private:
    gpu::Device& device_;
    SortVariant variant_;
    RadixSort sort_;
    primitives::ExclusiveScan scan_;
    uint32_t capacity_;
    gpu::Buffer count_, total_, prefix_;
    std::array<gpu::Buffer, 2> keys_, payload_;
    primitives::SortScratch scratch_;
    primitives::ScanScratch scanScratch_;
    uint32_t pairs_;
};

}  // namespace

SortedPairs unsortedPairs(std::vector<ListedSplat> list) {
    std::ranges::sort(list, {}, &ListedSplat::gaussian);
    SortedPairs pairs;
    for (const ListedSplat& listed : list) {
        pairs.keys.push_back(listed.key);
        pairs.payload.push_back(listed.gaussian);
    }
    return pairs;
}

RadixSteps traceRadixSort(gpu::Device& device, const SortedPairs& pairs, uint32_t keyBits) {
    SPLAT_CHECK(pairs.keys.size() == pairs.payload.size(), "{} keys, {} of payload", pairs.keys.size(), pairs.payload.size());
    if (pairs.keys.empty()) return {};
    PassByPass sort(device, pairs);
    RadixSteps steps{.variant = std::string(sort.variant()), .passes = {}};
    for (uint32_t pass = 0; pass * kDigitBits < keyBits; ++pass) steps.passes.push_back(sort.pass(pass));
    return steps;
}

BitonicSteps traceBitonicSort(gpu::Device& device, const std::vector<uint32_t>& keys) {
    const auto count = static_cast<uint32_t>(keys.size());
    BitonicSteps trace{.steps = primitives::bitonicSteps(count), .keys = {keys}};
    if (keys.empty()) return trace;
    const gpu::Buffer buffer = device.buffer<uint32_t>("explained network", count);
    device.upload(buffer, keys);
    for (const primitives::BitonicStep& step : trace.steps) {
        device.run("explained step", [&](gpu::Commands& c) { primitives::recordBitonicStep(c, buffer, count, step); });
        trace.keys.push_back(device.download<uint32_t>(buffer, count));
    }
    return trace;
}

}  // namespace splat::explain
