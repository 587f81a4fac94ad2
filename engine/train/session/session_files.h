#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include <splatwright/train/checkpoint/checkpoint_writer.h>
#include <splatwright/train/session/kind_results.h>
#include <splatwright/train/session/resume.h>
#include <splatwright/train/session/run_record.h>
#include <splatwright/train/session/session.h>
#include <splatwright/train/session/session_data.h>
#include <splatwright/train/settings/passes.h>
#include <splatwright/train/watch/growth_watch.h>
#include <splatwright/train/watch/training_watch.h>

namespace splat {

/// Writes everything that a session writes: the run's files if it has a folder, and splats and checkpoints elsewhere on command. Counts the
/// seconds of the run, and reports each file to the observer. For the session's thread; throws Error naming the path, here and below.
class SessionFiles {
public:
    /// Creates and locks the folder. All arguments must outlive this. Throws InputError if another run has the folder.
    SessionFiles(gpu::Device& device, const primitives::RadixSort& sort, const SessionOptions& options, SessionObserver& observer,
                 const SessionData& data, const TrainingWatch& watch, const GrowthWatch& growth);

    bool hasFolder() const { return record_.has_value(); }
    std::filesystem::path file(std::string_view name) const { return record_->file(name); }

    /// Training starts, from a checkpoint if `resumed` is not empty. The files hold these settings, which may be for a longer schedule than the
    /// trainer's (shortened()).
    void begin(const Trainer& trainer, TrainSettings settings, RunHistory earlier, std::optional<ColourTest> colourTest,
               const std::filesystem::path& resumed);
    void change(TrainSettings settings) { settings_ = std::move(settings); }
    const TrainSettings& settings() const { return settings_; }
    /// Called after each step and before the run's first file: removes an earlier run's files.
    void open();
    /// A line of the log. One that awaits an evaluation is written once that is known.
    void step(const StepReport& report, double millisecondsPerStep, const std::optional<HealthSample>& sample, bool awaitsEvaluation);
    /// `last`: the render of the last test view, if there is one.
    void evaluated(const Trainer& trainer, const Evaluation& evaluation, const Image8& last);
    void diverged(const Diverged& problem, double millisecondsPerStep);
    /// Called before the trainer gets back an earlier state.
    void rollsBack(const Trainer& trainer);
    /// Called after the watch has rolled a training back, and after growth has ended at an earlier state.
    void rolledBack(const Diverged& problem, const Rollback& rollback, double millisecondsPerStep);
    void growthEnded(const WithheldScore& seen, uint32_t to, const std::string& why);
    /// Counts seconds between steps in which withheld views were scored.
    void addSeconds(double seconds) { earlier_.trainSeconds += seconds; }

    /// By default in the format of the path's extension. Returns the number of splats.
    size_t writeSplats(const Trainer& trainer, const std::filesystem::path& path, const SplatWriter* writer = nullptr);
    /// Copies the state from the device; the file is written while training continues. Throws the Error of an earlier one under way.
    void writeCheckpoint(Trainer& trainer, const std::filesystem::path& path);
    /// Whether finishCheckpoint() has one to report.
    bool checkpointReady() const { return writer_.ready(); }
    /// Reports a checkpoint that is complete; waits for it if so wanted. Throws the Error that it ended with.
    void finishCheckpoint(bool wait);
    /// Waits for a checkpoint under way, before another one. A failure of it is only reported: the next one may succeed.
    void reportEarlier();

    /// Writes all files of a run that is complete or stopped, and throws if one of them fails. Without a folder it only summarises.
    RunSummary end(Trainer& trainer);

    /// Restores the last checkpoint of a trainer that has diverged, if there is one. True: it is restored.
    bool returnToCheckpoint(Trainer& trainer);
    /// Saves a restored trainer's state as the run's checkpoint. Logs a problem instead of throwing it, as below.
    void rescueCheckpoint(Trainer& trainer);
    /// Saves the run's splats after a failure.
    void rescueSplats(const Trainer& trainer);
    /// Files that exist when a run has failed. Waits for a checkpoint under way.
    const SavedFiles& saved();

private:
    RunHistory history(const Trainer& trainer) const;
    RunSummary summarise(const Trainer& trainer, size_t splats) const;

    gpu::Device& device_;
    const primitives::RadixSort& sort_;
    const SessionOptions& options_;
    SessionObserver& observer_;
    const SessionData& data_;
    const TrainingWatch& watch_;
    const GrowthWatch& growth_;
    std::optional<RunRecord> record_;  ///< none: without a folder
    TrainSettings settings_;
    CheckpointWriter writer_;
    RunHistory earlier_;
    std::optional<ColourTest> colourTest_;
    Evaluation evaluation_;
    std::unique_ptr<KindResults> results_;
    SavedFiles saved_;
};

}  // namespace splat
