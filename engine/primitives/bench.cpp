#include <splatwright/primitives/bench.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace splat::primitives {

namespace {

constexpr uint32_t kWarmUps = 3;
// While the host prepares and checks input, the GPU drops to its idle clock and needs some work to speed up again: without this, 16 M pairs took
// as long as 32 M on an H200.
constexpr std::chrono::milliseconds kClockRamp{400};

}  // namespace

void summarise(std::vector<double> times, BenchRow& row) {
    std::ranges::sort(times);
    row.median_ms = times[times.size() / 2];
    row.min_ms = times.front();
    row.max_ms = times.back();
}

void timeRuns(gpu::Device& device, uint32_t runs, BenchRow& row, const std::function<double()>& run) {
    const auto warm = std::chrono::steady_clock::now() + (device.isSoftware() ? std::chrono::milliseconds(0) : kClockRamp);
    for (uint32_t i = 0; i < std::min(kWarmUps, runs) || std::chrono::steady_clock::now() < warm; ++i) run();
    std::vector<double> times(runs);
    for (double& t : times) t = run();
    summarise(std::move(times), row);
}

BenchRow measure(gpu::Device& device, const BenchOptions& options, BenchRow row, const BenchWork& bench) {
    gpu::Commands commands(device, row.bench + " " + row.variant);
    commands.stage("prepare");
    bench.prepare(commands);
    commands.stage("work");
    bench.work(commands);
    commands.end();
    const auto run = [&] {
        device.wait(device.submit(commands));
        return commands.stageMilliseconds().back();
    };

    run();
    row.verified = bench.verify();
    if (!row.verified) return row;
    timeRuns(device, options.runs, row, run);
    return row;
}

}  // namespace splat::primitives
