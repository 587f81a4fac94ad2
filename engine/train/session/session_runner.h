#pragma once

#include <functional>
#include <optional>

#include <splatwright/train/session/command_queue.h>
#include <splatwright/train/session/session_training.h>

namespace splat {

/// Implements TrainingSession: executes commands, which are for the session's thread, trains between them, and decides what a problem ends.
class SessionRunner {
public:
    SessionRunner(gpu::Device& device, SessionOptions options);

    std::optional<RunSummary> run();
    void serve();

    // run() in parts, for a caller that does other things between two steps: restart(), then trainTo() one step after the other, then finish().
    /// Trains until this many steps are done in all, all steps are, or a command pauses it. Throws like run().
    void trainTo(uint32_t step);
    /// Writes the results of an ended or incomplete training. None: no step was done.
    std::optional<RunSummary> finish();

    void start();
    void pause();
    void step();
    void restart(const TrainSettings& given);
    void change(const TrainSettings& settings);
    void evaluateNow();
    void evaluateTrainingViews();
    void removeFloaters(double times);
    void saveSplats(const std::filesystem::path& path, const SplatWriter* writer);
    void saveCheckpoint(const std::filesystem::path& path);

    CommandQueue& commands() { return commands_; }
    SessionTraining& training() { return training_; }
    /// Throws InputError if there is none or it has failed.
    Trainer& trainer();

private:
    void work();
    void workOnce();
    void attempt(const std::function<void()>& action);
    void tolerate(const std::function<void()>& write);
    void refuse(const InputError& problem);
    void runSteps();
    void rest();
    void end();
    void stopDiverged(const Diverged& problem);
    void fail(const std::exception& problem);

    primitives::RadixSort sort_;
    SessionOptions options_;
    SessionObserver none_;
    SessionObserver& observer_;
    CommandQueue commands_;
    SessionTraining training_;

    bool serving_ = false;  ///< in serve(): problems do not end the session
    bool failed_ = false;
    bool diverged_ = false;  ///< paused, and nothing is written until a restart
    bool running_ = false;
    uint32_t pauseAt_ = 0;  ///< step to pause after; 0: none
};

}  // namespace splat
