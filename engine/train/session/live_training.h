#pragma once

#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include <splatwright/train/session/live_state.h>
#include <splatwright/train/session/live_views.h>
#include <splatwright/train/session/session.h>

namespace splat {

/// Serves a TrainingSession on a separate thread and keeps a copy of its state. All members may be called from any thread, and none waits for a
/// step. The destructor stops after the current step and writes the files of the run.
class LiveTraining : private SessionObserver {
public:
    /// Starts loading. options.observer receives all events as well, on the session's thread. Throws InputError if another run has the folder.
    LiveTraining(gpu::Device& device, SessionOptions options);
    ~LiveTraining() override;
    LiveTraining(const LiveTraining&) = delete;
    LiveTraining& operator=(const LiveTraining&) = delete;

    // TrainingSession's commands.
    void start() { session_.start(); }
    void pause() { session_.pause(); }
    void step() { session_.step(); }
    void restart(const TrainSettings& settings) { session_.restart(settings); }
    void change(const TrainSettings& settings) { session_.change(settings); }
    void evaluate() { session_.evaluate(); }
    void evaluateTrainingViews() { session_.evaluateTrainingViews(); }
    void removeFloaters(double times) { session_.removeFloaters(times); }
    void saveSplats(const std::filesystem::path& path, const SplatWriter* writer = nullptr) { session_.saveSplats(path, writer); }
    void saveCheckpoint(const std::filesystem::path& path) { session_.saveCheckpoint(path); }

    void inspect(std::function<void(const Trainer&)> look) { session_.inspect(std::move(look)); }

    /// Includes the effects of all commands that are not pending any more.
    LiveState state() const;
    /// Changes with state().dataGeneration.
    std::vector<LiveView> views() const;
    std::optional<Photograph> viewImage(size_t view) const { return session_.viewImage(view); }
    bool withModel(const std::function<void(const SessionModel&)>& draw) { return session_.withModel(draw); }

private:
    SessionOptions observed(SessionOptions options);
    void onPhase(SessionPhase phase) override;
    void onLoading(Split split, size_t done, size_t total) override;
    void onData(const TrainingData& data, const TrainSettings& settings) override;
    void onStart(uint32_t step, const TrainSettings& settings) override;
    void onStep(const StepReport& report, double millisecondsPerStep) override;
    void onEvaluation(uint32_t step, const Evaluation& evaluation) override;
    void onTrainingScores(uint32_t step, const std::vector<ViewScore>& scores) override;
    void onChange(const TrainSettings& settings) override;
    void onRemoval(uint32_t removed, uint32_t left) override;
    void onSplats(uint32_t step, const std::filesystem::path& file) override;
    void onCheckpoint(uint32_t step, const std::filesystem::path& file) override;
    void onProblem(const std::string& problem) override;
    void onEnd(const RunSummary& summary) override { next_.onEnd(summary); }
    void onRollback(const Rollback& rollback) override;
    void onDivergence(const Diverged& problem) override;
    void onFailure(const std::string& problem) override;
    void onRescue(const SavedFiles& saved) override { next_.onRescue(saved); }
    void addProblem(const std::string& problem);
    void refreshCosts();
    LivePoint pointOf(const StepReport& report, double millisecondsPerStep);

    mutable std::mutex mutex_;  ///< of state_, history_ and views_
    LiveState state_;           ///< except for history and pending
    LiveHistory history_;
    std::vector<LiveView> views_;
    std::chrono::steady_clock::time_point costsTaken_{};
    SessionObserver none_;
    SessionObserver& next_;
    TrainingSession session_;
    std::jthread thread_;  // last: it uses all of the above
};

}  // namespace splat
