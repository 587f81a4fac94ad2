#pragma once

#include <chrono>
#include <functional>
#include <thread>

#include <gtest/gtest.h>

#include <splatwright/scene/synth/synth.h>
#include <splatwright/train/densify/mcmc_settings.h>
#include <splatwright/train/session/live_training.h>
#include "scene/scratch.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"

namespace splat::test {

using Clock = std::chrono::steady_clock;

/// Looks a thousand times a second until something is so; false when it takes too long.
inline bool eventually(const std::function<bool()>& isSo) {
    const auto end = Clock::now() + std::chrono::seconds(240);
    while (!isSo()) {
        if (Clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

inline bool becomes(const LiveTraining& training, SessionPhase phase) {
    return eventually([&] { return training.state().phase == phase; });
}

struct Live : testing::Test {
    Live() { writeSynthDataset(data, {.scene = "object", .views = 9, .width = 48, .height = 36}); }

    /// Grows from few splats to several times its first capacity.
    static TrainSettings growing(uint32_t steps) {
        TrainSettings settings;
        settings.hasStrategyDefaults = true;  // nothing is completed: these are all
        settings.strategy = "mcmc";
        settings.steps = steps;
        settings.init = "random";
        settings.initCount = 200;
        settings.densifyFrom = 0;
        settings.densifyInterval = 5;
        settings.of<McmcSettings>().growFactor = 1.3;
        settings.maxSplats = 1000;
        return settings;
    }
    SessionOptions options(const TrainSettings& settings) const { return {.data = data, .settings = settings, .version = "test"}; }

    Scratch scratch;
    std::filesystem::path data = scratch.path() / "data";
};

}  // namespace splat::test
