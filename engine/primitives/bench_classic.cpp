#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <memory>

#include <splatwright/core/rng.h>
#include <splatwright/primitives/bench.h>
#include <splatwright/primitives/classic_sorts.h>
#include <splatwright/primitives/radix_sort.h>

namespace splat::primitives {

namespace {

using Words = std::vector<uint32_t>;
using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) { return std::chrono::duration<double, std::milli>(Clock::now() - start).count(); }

/// Random keys, and their order by an algorithm that is not in the comparison (a merge sort).
struct Input {
    Input(gpu::Device& on, uint32_t n) : device(on), keys(n) {
        Rng rng(n);
        for (uint32_t& key : keys) key = static_cast<uint32_t>(rng.next());
        sorted = keys;
        std::ranges::stable_sort(sorted);
    }
    uint32_t n() const { return static_cast<uint32_t>(keys.size()); }
    gpu::Buffer uploaded() const {
        gpu::Buffer buffer = device.buffer<uint32_t>("pristine keys", keys.size());
        device.upload(buffer, keys);
        return buffer;
    }

    gpu::Device& device;
    Words keys, sorted;
};

/// An algorithm with its memory for one input.
class Runner {
public:
    explicit Runner(const Input& input) : input_(input) {}
    virtual ~Runner() = default;
    /// Sorts a fresh copy of the keys. Returns the milliseconds of the sort alone; on the GPU by timestamps.
    virtual double run() = 0;
    virtual Words result() const = 0;
    /// Milliseconds of a run, from a small part of it; 0 if there is no such part.
    virtual double predicted() { return 0; }

protected:
    const Input& input_;
};

using HostSort = void (*)(Words& keys, Words& spare);

template <HostSort sort>
class HostRunner : public Runner {
public:
    explicit HostRunner(const Input& input) : Runner(input), spare_(input.keys.size()) {}
    double run() override {
        keys_ = input_.keys;
        const auto start = Clock::now();
        sort(keys_, spare_);
        return millisecondsSince(start);
    }
    Words result() const override { return keys_; }

private:
    Words keys_, spare_;
};

/// One recording that restores and sorts the keys.
class GpuRunner : public Runner {
public:
    explicit GpuRunner(const Input& input)
        : Runner(input),
          pristine_(input.uploaded()),
          keys_(input.device.buffer<uint32_t>("keys", input.keys.size())),
          commands_(input.device, "classic sort") {}
    double run() override {
        input_.device.wait(input_.device.submit(commands_));
        return commands_.stageMilliseconds().back();
    }
    Words result() const override { return input_.device.download<uint32_t>(keys_, input_.keys.size()); }

protected:
    template <class Record>
    void record(Record record) {
        commands_.stage("prepare");
        commands_.copy(pristine_, keys_);
        commands_.stage("work");
        record(commands_);
        commands_.end();
    }

    gpu::Buffer pristine_, keys_;
    gpu::Commands commands_;
};

class GpuBitonic : public GpuRunner {
public:
    explicit GpuBitonic(const Input& input) : GpuRunner(input) {
        record([&](gpu::Commands& c) { recordBitonicSort(c, keys_, input.n()); });
    }
};

class GpuRadix : public GpuRunner {
public:
    explicit GpuRadix(const Input& input)
        : GpuRunner(input),
          spareKeys_(input.device.buffer<uint32_t>("keys B", input.keys.size())),
          payload_(input.device.buffer<uint32_t>("payload A", input.keys.size())),
          sparePayload_(input.device.buffer<uint32_t>("payload B", input.keys.size())),
          scratch_(RadixSort::scratch(input.device, "classic", input.n())) {
        const SortBuffers buffers{keys_, payload_, spareKeys_, sparePayload_};
        const RadixSort sort(input.device);
        record([&](gpu::Commands& c) { sort.record(c, {.buffers = buffers, .window = {0, 32}, .scratch = scratch_}, {input.n()}); });
    }

private:
    gpu::Buffer spareKeys_, payload_, sparePayload_;
    SortScratch scratch_;
};

/// Recordings of a limited number of phases, run until there are at least as many phases as keys.
class GpuOddEven : public GpuRunner {
public:
    explicit GpuOddEven(const Input& input) : GpuRunner(input), phases_(input.device, "phases"), probe_(input.device, "probe") {
        record([](gpu::Commands&) {});
        const uint32_t most = std::max(input.n(), 1u);
        runs_ = (most + kMostPhases - 1) / kMostPhases;
        const uint32_t phases = even((most + runs_ - 1) / runs_);
        recordPhases(phases_, phases);
        probed_ = std::min(phases, kProbedPhases);
        recordPhases(probe_, probed_);
    }
    double run() override {
        GpuRunner::run();
        double sum = 0;
        for (uint32_t i = 0; i < runs_; ++i) sum += runOnce(phases_);
        return sum;
    }
    double predicted() override {
        runOnce(probe_);  // also creates the pipeline
        const auto start = Clock::now();
        runOnce(probe_);
        return millisecondsSince(start) * input_.n() / probed_;
    }

private:
    static constexpr uint32_t kMostPhases = 4096, kProbedPhases = 64;  // even

    static uint32_t even(uint32_t n) { return n + n % 2; }
    void recordPhases(gpu::Commands& commands, uint32_t phases) {
        commands.stage("work");
        recordOddEvenSort(commands, keys_, input_.n(), phases);
        commands.end();
    }
    double runOnce(const gpu::Commands& commands) {
        input_.device.wait(input_.device.submit(commands));
        return commands.stageMilliseconds().back();
    }

    gpu::Commands phases_, probe_;
    uint32_t runs_ = 0, probed_ = 0;
};

void sortByLibrary(Words& keys, Words&) { std::ranges::sort(keys); }
void sortByRadix(Words& keys, Words& spare) { radixSortOnHost(keys, spare); }
void sortByBitonic(Words& keys, Words&) { bitonicSortOnHost(keys); }

template <class R>
std::unique_ptr<Runner> make(const Input& input) {
    return std::make_unique<R>(input);
}

double linear(double n) { return n; }
double timesLog(double n) { return n * std::log2(std::max(n, 2.0)); }
double timesSquaredLog(double n) { return timesLog(n) * std::log2(std::max(n, 2.0)); }
double squared(double n) { return n * n; }

/// An algorithm of the comparison.
struct Classic {
    const char* name;
    double (*work)(double n);  ///< of a run, up to a factor: predicts the time of a size from the size before
    std::unique_ptr<Runner> (*make)(const Input& input);
    const char* note = "";
    bool onGpu = false;
    bool probes = false;  ///< predicts from a part of the run, because small sizes are far from the law
};

constexpr Classic kClassics[] = {
    {"std::sort", timesLog, make<HostRunner<sortByLibrary>>},
    {"cpu-radix", linear, make<HostRunner<sortByRadix>>},
    {"cpu-bitonic", timesSquaredLog, make<HostRunner<sortByBitonic>>},
    {"gpu-odd-even", squared, make<GpuOddEven>, "", true, true},
    {"gpu-bitonic", timesSquaredLog, make<GpuBitonic>, "", true},
    {"gpu-radix", linear, make<GpuRadix>, "also moves a payload of 32 bits", true},
};

// Smaller sizes measure the cost of a dispatch, and predict nothing.
constexpr uint32_t kPredictsFrom = 4096;

/// The last size of an algorithm that predicts the next.
struct History {
    double n = 0, ms = 0;  ///< ms: measured by the host's clock, or predicted if the size was skipped
    bool skipped = false;
};

bool exceeds(double predictedMs, const BenchOptions& options, BenchRow& row, History& history) {
    history = {static_cast<double>(row.n), predictedMs, predictedMs > options.mostMs};
    row.skipped = history.skipped;
    if (row.skipped) row.note = fmt::format("not run: predicted {:.3g} s, limit {:.3g} s", predictedMs / 1e3, options.mostMs / 1e3);
    return row.skipped;
}

bool fits(const gpu::Device& device, BenchRow& row) {
    const uint64_t bytes = uint64_t{row.n} * sizeof(uint32_t), most = device.limits().maxStorageBufferRange;
    row.skipped = bytes > most;
    if (row.skipped) row.note = fmt::format("not run: keys of {} MiB, the device binds {} MiB", bytes >> 20u, most >> 20u);
    return !row.skipped;
}

BenchRow benchOne(const Classic& classic, const Input& input, const BenchOptions& options, History& history) {
    BenchRow row{.bench = "sort-classic", .variant = classic.name, .n = input.n(), .note = classic.note};
    if (classic.onGpu && !fits(input.device, row)) return row;
    const bool probes = classic.probes && !history.skipped;
    const double predicted = history.n > 0 ? history.ms * classic.work(row.n) / classic.work(history.n) : 0;
    if (!probes && exceeds(predicted, options, row, history)) return row;
    const auto runner = classic.make(input);
    if (probes && exceeds(runner->predicted(), options, row, history)) return row;
    double wallMs = 0;
    const auto run = [&] {
        const auto start = Clock::now();
        const double ms = runner->run();
        wallMs = millisecondsSince(start);
        return ms;
    };
    run();
    row.verified = runner->result() == input.sorted;
    if (!row.verified) return row;
    constexpr double kWantedMs = 2000;  // of all runs together
    const auto runs = static_cast<uint32_t>(std::clamp(kWantedMs / wallMs, 1.0, static_cast<double>(options.runs)));
    timeRuns(input.device, runs | 1u, row, run);
    history = row.n < kPredictsFrom ? History{} : History{static_cast<double>(row.n), wallMs, false};
    return row;
}

}  // namespace

std::vector<BenchRow> benchClassic(gpu::Device& device, const std::vector<uint32_t>& sizes, const BenchOptions& options) {
    std::vector<uint32_t> ascending = sizes;
    std::ranges::sort(ascending);
    std::vector<BenchRow> rows;
    std::array<History, std::size(kClassics)> histories{};
    for (const uint32_t n : ascending) {
        const Input input(device, n);
        for (size_t i = 0; i < std::size(kClassics); ++i) rows.push_back(benchOne(kClassics[i], input, options, histories[i]));
    }
    return rows;
}

}  // namespace splat::primitives
