#include "commands/train/run_heading.h"

#include <algorithm>

#include <splatwright/core/log.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/presets/requested_settings.h>
#include "commands/train/run_plan.h"
#include "viewer/files/build_version.h"

namespace splat::app {

namespace {

/// "640x480", or the smallest and the largest where sizes differ.
std::string sizesOf(const TrainingData& data) {
    std::vector<std::pair<int, int>> sizes;
    for (const auto* views : {&data.train, &data.test}) {
        for (const Photograph& view : *views) sizes.emplace_back(view.image.width, view.image.height);
    }
    const auto area = [](std::pair<int, int> size) { return int64_t{size.first} * size.second; };
    const auto [least, most] = std::ranges::minmax(sizes, {}, area);
    const auto text = [](std::pair<int, int> size) { return fmt::format("{}x{}", size.first, size.second); };
    return std::ranges::count(sizes, sizes.front()) == std::ssize(sizes) ? text(least) : text(least) + " to " + text(most);
}

}  // namespace

void tellStart(const RunPlan& plan) {
    spdlog::info("splatwright {}: {} {}, results go to {}", programVersion(), plan.options.isPicture() ? "fitting" : "training on",
                 plan.options.data, plan.options.out);
    if (plan.resumedStep) spdlog::info("resuming after step {} of {}, from {}", *plan.resumedStep, plan.steps, plan.options.resume);
}

void tellDevice(const gpu::Device& device, const RunPlan& plan) {
    spdlog::info("device: {}", device.name());
    if (device.isSoftware()) {
        spdlog::warn(
            "this device is a CPU: a step takes about a thousand times as long as on a GPU, seconds for an image of half a megapixel. "
            "For a first try: {}. Ctrl-C saves what is trained so far",
            plan.options.isPicture() ? "--set downscale=4 --steps 500" : "--downscale 8 --strategy fixed --steps 500");
    }
    // What differs from the preset `default`, or from another strategy's own defaults: " strategy=mcmc max_splats=1000000".
    const TrainSettings byDefault = resolveSettings({});
    TrainSettings usual = plan.settings.strategy == byDefault.strategy ? byDefault : defaultsOf(plan.settings.strategy);
    usual.strategy = byDefault.strategy;
    const std::string changes = settingChanges(usual, plan.settings);
    spdlog::info("settings:{}", changes.empty() ? " all as by default" : changes + " (others as by default)");
}

void tellDataset(const TrainingData& data) {
    const std::string points = data.points.empty() ? "no points" : fmt::format("{} points", data.points.size());
    spdlog::info("dataset: {}, {} views for training and {} for testing, {}, {}", data.format, data.train.size(), data.test.size(),
                 sizesOf(data), points);
}

void tellPicture(const TrainingData& data) { spdlog::info("picture: {}", sizesOf(data)); }

}  // namespace splat::app
