#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "core/turns.h"
#include "train/checkpoint_writer.h"
#include "train/command_queue.h"
#include "train/live_data.h"
#include "train/live_observer.h"
#include "train/live_training.h"
#include "train/resume.h"
#include "train/stage_clock.h"
#include "train/step_clock.h"

namespace splat {

/// What a live training does, by its own thread: commands come through a queue, and what happens is written into a state.
class LiveWorker {
public:
    LiveWorker(gpu::Device& device, const primitives::RadixSort& sort, LiveOptions options);
    ~LiveWorker();

    // Of any thread.
    LiveState state() const;
    bool withModel(const std::function<void(const LiveModel&)>& draw);
    CommandQueue& commands() { return commands_; }
    const LiveData& data() const { return data_; }

    // For commands, on the worker's thread.
    void start();
    void pause();
    void step();
    void reset(const TrainSettings& settings);
    void change(const TrainSettings& settings);
    void evaluateNow();
    void saveSplats(const std::filesystem::path& path);
    void saveCheckpoint(const std::filesystem::path& path);

private:
    void work();
    void attempt(const std::function<void()>& action);
    void fail(const std::string& problem);
    void stopDiverged(const Diverged& problem);
    void tell(const std::string& problem);
    void load(const TrainSettings& settings);
    void makeTrainer(const TrainSettings& settings);
    void dropTrainer();
    Trainer& trainer() const;
    void runSteps();
    uint32_t nextStop() const;
    void stopAt(uint32_t step);
    void score(bool canStop);
    void end();
    Checkpoint checkpoint() const;
    void write(Checkpoint checkpoint, const std::filesystem::path& path);
    void finishWriting();
    void noteWritten();
    bool onStep(const StepReport& report);
    void noteStages();
    void noteCheckpoint();
    void rest();
    void setPhase(LivePhase phase);

    template <class Change>
    void changeState(const Change& change) {
        const std::scoped_lock lock(stateMutex_);
        change(state_);
    }

    CommandQueue commands_;
    LiveData data_;
    gpu::Device& device_;
    const primitives::RadixSort& sort_;
    LiveOptions options_;

    mutable std::mutex stateMutex_;
    LiveState state_;  ///< the history excepted
    LiveHistory history_;
    FairMutex trainerLock_;  ///< of whether there is a trainer; taken before the trainer's own
    std::unique_ptr<Trainer> trainer_;

    // The training thread's own.
    bool failed_ = false;
    bool diverged_ = false;  ///< paused, and nothing is written until a new start
    bool running_ = false;
    uint32_t pauseAt_ = 0;   ///< step to pause after; 0: none
    uint32_t scoredAt_ = 0;  ///< step of the last evaluation; 0: none
    uint32_t endedAt_ = 0;   ///< step of the last end that was told and written; 0: none
    RunHistory earlier_;     ///< before the checkpoint that this goes on from
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    StepClock clock_;
    StageClock stages_;
    std::optional<CheckpointWriter> writer_;
    std::jthread thread_;  // last: it uses all of the above
};

}  // namespace splat
