#pragma once

#include <algorithm>
#include <cstdint>
#include <set>

#include <splatwright/train/settings/settings.h>

namespace splat {

/// Steps after which a session has something to do besides training. All of them follow from options and settings, none from the clock.
struct SessionStops {
    static constexpr uint32_t kCopyEvery = 1000;  ///< steps: the most that a rollback loses before a collapse begins

    std::set<uint32_t> evaluateAt;  ///< besides the last step
    uint32_t captureStep = 0;       ///< 0: none
    bool checkpoints = false;       ///< whether the settings' checkpoint_every counts

    bool evaluatesAfter(uint32_t step, const TrainSettings& settings) const { return step == settings.steps || evaluateAt.contains(step); }
    bool savesAfter(uint32_t step, const TrainSettings& settings) const {
        return checkpoints && settings.checkpointEvery > 0 && step % settings.checkpointEvery == 0;
    }
    /// Whether the watch keeps a copy of the state.
    static bool copiesAfter(uint32_t step, const TrainSettings& settings) { return settings.watch && step % kCopyEvery == 0; }
    /// The first of them after `done`; pauseAt: another one, or 0.
    uint32_t next(uint32_t done, const TrainSettings& settings, uint32_t pauseAt) const {
        uint32_t stop = settings.steps;
        if (const auto evaluation = evaluateAt.upper_bound(done); evaluation != evaluateAt.end()) stop = std::min(stop, *evaluation);
        if (checkpoints && settings.checkpointEvery > 0)
            stop = std::min(stop, (done / settings.checkpointEvery + 1) * settings.checkpointEvery);
        if (settings.watch) stop = std::min(stop, (done / kCopyEvery + 1) * kCopyEvery);
        if (done + 1 < captureStep) stop = std::min(stop, captureStep - 1);  // the captured step is done alone
        return pauseAt > done ? std::min(stop, pauseAt) : stop;
    }
};

}  // namespace splat
