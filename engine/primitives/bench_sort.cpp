#include <algorithm>
#include <numeric>

#include <splatwright/core/rng.h>
#include <splatwright/primitives/bench.h>
#include <splatwright/primitives/sort_variants.h>

namespace splat::primitives {

namespace {

struct SortBench {
    const char* name;
    KeyStorage storage;
    BitWindow window;
};
constexpr SortBench kBenches[] = {{"sort-32", KeyStorage::u32, {0, 32}}, {"sort-16", KeyStorage::u16, {0, 16}}};

/// Random pairs on the GPU, with the host's sorted result.
template <class Key>
class Input {
public:
    Input(gpu::Device& device, uint32_t n, BitWindow window)
        : device_(device),
          n_(n),
          window_(window),
          pristineKeys_(device.buffer<Key>("pristine keys", n)),
          pristinePayload_(device.buffer<uint32_t>("pristine payload", n)),
          keysA_(device.buffer<Key>("keys A", n)),
          keysB_(device.buffer<Key>("keys B", n)),
          payloadA_(device.buffer<uint32_t>("payload A", n)),
          payloadB_(device.buffer<uint32_t>("payload B", n)),
          count_(device.buffer<uint32_t>("count", 1)) {
        keys_.resize(n);
        order_.resize(n);
        Rng rng(n);
        for (Key& key : keys_) key = static_cast<Key>(rng.next());
        std::iota(order_.begin(), order_.end(), 0u);
        device.upload(pristineKeys_, keys_);
        device.upload(pristinePayload_, order_);
        device.upload(count_, std::vector<uint32_t>{n});
        const uint64_t mask = (uint64_t{1} << window.bits()) - 1;
        const auto digits = [&](uint32_t i) { return keys_[i] >> window.begin & mask; };
        std::stable_sort(order_.begin(), order_.end(), [&](uint32_t l, uint32_t r) { return digits(l) < digits(r); });
    }

    void restore(gpu::Commands& commands) const {
        commands.copy(pristineKeys_, keysA_);
        commands.copy(pristinePayload_, payloadA_);
    }
    SortBuffers buffers() const { return {keysA_, payloadA_, keysB_, payloadB_}; }
    Count count() const { return {n_, {count_, 0}}; }
    /// Whether the result equals the host's; the payload is the original order.
    bool sorted() {
        if (device_.download<uint32_t>(sortedPayload(buffers(), window_), n_) != order_) return false;
        const std::vector<Key> found = device_.download<Key>(sortedKeys(buffers(), window_), n_);
        for (uint32_t i = 0; i < n_; ++i) {
            if (found[i] != keys_[order_[i]]) return false;
        }
        return true;
    }

private:
    gpu::Device& device_;
    uint32_t n_;
    BitWindow window_;
    gpu::Buffer pristineKeys_, pristinePayload_, keysA_, keysB_, payloadA_, payloadB_, count_;
    std::vector<Key> keys_;
    std::vector<uint32_t> order_;
};

/// Where the sort finds its count. On the GPU, it also plans its dispatches there.
enum class CountOn { gpu, host };

template <class Key>
BenchRow benchVariant(gpu::Device& device, const BenchOptions& options, const SortBench& bench, const SortVariant& variant,
                      Input<Key>& input, CountOn where) {
    const Count count = where == CountOn::gpu ? input.count() : Count{input.count().atMost};
    const RadixSort sort(device, variant);
    const SortScratch scratch = RadixSort::scratch(device, "bench", count.atMost);
    const SortBuffers buffers = input.buffers();
    const RadixSort::Job job{.buffers = buffers, .window = bench.window, .storage = bench.storage, .scratch = scratch};
    const std::string name = std::string(bench.name) + (where == CountOn::gpu ? "" : "-host");
    return measure(device, options, {.bench = name, .variant = std::string(variant.name), .n = count.atMost},
                   {.prepare = [&](gpu::Commands& c) { input.restore(c); },
                    .work = [&](gpu::Commands& c) { sort.record(c, job, count); },
                    .verify = [&] { return input.sorted(); }});
}

template <class Key>
void benchSize(gpu::Device& device, const BenchOptions& options, const SortBench& bench, uint32_t n, std::vector<BenchRow>& rows) {
    const TunedFor own = device.isSoftware() ? TunedFor::software : TunedFor::gpu;
    const RadixSort sort(device);
    const SortVariant& used = sort.variantFor(n);
    Input<Key> input(device, n, bench.window);
    for (const SortVariant& variant : sortVariants()) {
        if (variant.tunedFor != own && &variant != &used) continue;
        if (!variant.available(device) || !variant.sorts(n)) continue;
        rows.push_back(benchVariant(device, options, bench, variant, input, CountOn::gpu));
    }
    // What the counts on the GPU cost, for the variant that the device uses.
    rows.push_back(benchVariant(device, options, bench, used, input, CountOn::host));
}

}  // namespace

std::vector<BenchRow> benchSort(gpu::Device& device, const std::vector<uint32_t>& sizes, const BenchOptions& options) {
    std::vector<BenchRow> rows;
    for (const SortBench& bench : kBenches) {
        for (const uint32_t n : sizes) {
            if (bench.storage == KeyStorage::u32) {
                benchSize<uint32_t>(device, options, bench, n, rows);
            } else if (device.has(gpu::Feature::int16Storage)) {
                benchSize<uint16_t>(device, options, bench, n, rows);
            }
        }
    }
    return rows;
}

}  // namespace splat::primitives
