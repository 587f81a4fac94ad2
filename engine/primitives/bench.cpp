#include "primitives/bench.h"

#include <algorithm>

namespace splat::primitives {

namespace {

constexpr int kWarmUps = 3;

}  // namespace

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
    for (int i = 0; i < kWarmUps; ++i) run();
    std::vector<double> times(options.runs);
    for (double& t : times) t = run();
    std::sort(times.begin(), times.end());
    row.median_ms = times[times.size() / 2];
    row.min_ms = times.front();
    row.max_ms = times.back();
    return row;
}

}  // namespace splat::primitives
