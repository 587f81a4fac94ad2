#include <splatwright/train/bench/step_bench.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <splatwright/render/backward.h>
#include <splatwright/scene/datasets/frame.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/settings/accumulation_setting.h>
#include <splatwright/train/settings/settings.h>
#include <splatwright/train/step/stage_window.h>
#include <splatwright/train/step/trainer.h>
#include <splatwright/train/step/training_costs.h>

namespace splat {

namespace {

using primitives::BenchRow;

constexpr uint32_t kWindow = 16;  // steps with one timed step (train/step/step_queue.cpp), the ninth: the queue is full by then
constexpr uint32_t kWarmUp = 4;   // windows

TrainSettings settingsFor(const Gaussians& gaussians, uint32_t steps) {
    TrainSettings settings = defaultsOf("default");
    settings.steps = steps;
    settings.densifyFrom = settings.densifyUntil = steps;  // statistics are kept, but nothing is refined
    settings.shDegree = static_cast<uint32_t>(gaussians.shDegree);
    settings.shDegreeInterval = 1;
    settings.startDownscale = 1;
    settings.antialiased = gaussians.antialiased;
    return settings;
}

void checkSize(const gpu::Device& device, const Gaussians& gaussians, const TrainSettings& settings) {
    const uint32_t most = mostGaussians(device, accumulationOf(settings));
    if (gaussians.count() > most)
        throw InputError("found {} Gaussians, expected at most {} to train them on {}", gaussians.count(), most, device.name());
}

/// One grey, so that the loss must fall however well the splats are trained. A step takes the same time.
Gaussians grey(Gaussians gaussians) {
    std::ranges::fill(gaussians.sh, glm::vec3(0));
    return gaussians;
}

/// The row of a stage; times of all windows become median, minimum and maximum.
BenchRow rowOf(const BenchRow& base, const std::string& stage, std::vector<double> times) {
    BenchRow row = base;
    row.variant = stage;
    primitives::summarise(std::move(times), row);
    return row;
}

/// Times of the stages, a list over windows per stage. Those that are missing from a window are left out: events between steps.
struct StageTimes {
    void add(const std::vector<StageCost>& means) {
        for (const StageCost& stage : means) {
            const auto found = std::ranges::find(stages, stage.name, &std::pair<std::string, std::vector<double>>::first);
            auto& times = found != stages.end() ? found->second : stages.emplace_back(stage.name, std::vector<double>()).second;
            times.push_back(stage.milliseconds);
        }
        ++windows;
    }
    std::vector<BenchRow> rows(const BenchRow& base) const {
        std::vector<BenchRow> rows;
        std::vector<double> whole(windows);
        for (const auto& [name, times] : stages) {
            if (std::ranges::min(times) == 0) continue;
            std::ranges::transform(whole, times, whole.begin(), std::plus());
            rows.push_back(rowOf(base, name, times));
        }
        rows.insert(rows.begin(), rowOf(base, "whole", whole));
        return rows;
    }

    std::vector<std::pair<std::string, std::vector<double>>> stages;
    size_t windows = 0;
};

}  // namespace

bool lossFalls(std::span<const double> losses, size_t pass) {
    if (losses.size() < 2 * pass) return false;
    const auto sum = [](std::span<const double> part) { return std::accumulate(part.begin(), part.end(), 0.0); };
    return sum(losses.last(pass)) < sum(losses.first(pass));
}

std::vector<BenchRow> benchStep(gpu::Device& device, const primitives::RadixSort& sort, const Gaussians& gaussians,
                                std::vector<Photograph> photographs, const primitives::BenchOptions& options) {
    const size_t views = photographs.size();
    // Two passes of the images at least, by which the loss is judged.
    const uint32_t windows = std::max(kWarmUp, static_cast<uint32_t>((2 * views + kWindow - 1) / kWindow));
    const uint32_t warmUp = windows * kWindow + kWindow / 2;
    const TrainSettings settings = settingsFor(gaussians, warmUp + options.runs * kWindow);
    checkSize(device, gaussians, settings);
    BenchRow base{.bench = "step", .n = static_cast<uint32_t>(gaussians.count())};
    base.subject = fmt::format("{} views, {}x{}", views, photographs.front().image.width, photographs.front().image.height);
    Trainer trainer(device, sort, settings, grey(gaussians), std::move(photographs), kFrameExtent);
    std::vector<double> losses;
    StageWindow window;
    StageTimes times;
    for (uint32_t until = warmUp; until <= settings.steps; until += kWindow) {
        trainer.run(until, [&](const StepReport& report) {
            losses.push_back(report.loss);
            return true;
        });
        const std::vector<StageCost> means = window.advance(trainer.costs());
        if (until > warmUp) times.add(means);
    }
    base.verified = lossFalls(losses, views);
    std::vector<BenchRow> rows = base.verified ? times.rows(base) : std::vector{rowOf(base, "whole", {0})};
    rows.front().note = fmt::format("loss {:.4f} at first, {:.4f} after {} steps; accumulation {}", losses.front(), losses.back(),
                                    losses.size(), settings.accumulate);
    return rows;
}

}  // namespace splat
