#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/train/evaluate/evaluation.h>
#include <splatwright/train/model/step_report.h>
#include <splatwright/train/session/run_summary.h>

namespace splat {

struct TrainingData;

enum class SessionPhase {
    loading,     ///< reads the dataset
    ready,       ///< at step 0, waits for start()
    running,     ///< trains
    paused,      ///< waits for start() between two steps; after divergence for restart()
    evaluating,  ///< renders views and compares them with their images
    finished,    ///< all steps are done; a larger `steps` and start() continue
    failed,      ///< cannot continue; restart() tries again
};
std::string_view nameOf(SessionPhase phase);

/// Receives the events of a TrainingSession, on the session's thread and, unless noted, between two steps. Every member does nothing by
/// default. An exception thrown by a member ends the run with that problem.
class SessionObserver {
public:
    virtual ~SessionObserver() = default;

    virtual void onPhase(SessionPhase /*phase*/) {}
    /// `done` of `total` images of a split are decoded; first with 0, and again and again while an image is decoded. Called from loading threads,
    /// one call at a time.
    virtual void onLoading(Split /*split*/, size_t /*done*/, size_t /*total*/) {}
    /// All images are decoded. Pixels of training images are moved to the trainer when this returns.
    virtual void onData(const TrainingData& /*data*/, const TrainSettings& /*settings*/) {}
    /// A trainer is ready, with `step` steps done: 0 unless a checkpoint is resumed.
    virtual void onStart(uint32_t /*step*/, const TrainSettings& /*settings*/) {}
    /// Every step, while the GPU works on later ones: must be quick. Milliseconds are the mean wall time of recent steps; NaN for the first
    /// step, which waits for kernels to be compiled.
    virtual void onStep(const StepReport& /*report*/, double /*millisecondsPerStep*/) {}
    /// A step was recorded by RenderDoc into this file.
    virtual void onCapture(const std::filesystem::path& /*file*/) {}
    /// Scores after `step`; no views: the dataset has no test views.
    virtual void onEvaluation(uint32_t /*step*/, const Evaluation& /*evaluation*/) {}
    /// Scores of the training views after `step`, if they were asked for.
    virtual void onTrainingScores(uint32_t /*step*/, const std::vector<ViewScore>& /*scores*/) {}
    /// change() has taken effect, or growth has ended early (GrowthWatch): training goes on from an earlier step.
    virtual void onChange(const TrainSettings& /*settings*/) {}
    /// A command has removed Gaussians; so many are left.
    virtual void onRemoval(uint32_t /*removed*/, uint32_t /*left*/) {}
    /// Splats of `step` are written.
    virtual void onSplats(uint32_t /*step*/, const std::filesystem::path& /*file*/) {}
    /// A checkpoint of `step` is complete on disk.
    virtual void onCheckpoint(uint32_t /*step*/, const std::filesystem::path& /*file*/) {}
    /// A command was refused or a file could not be written; the session continues.
    virtual void onProblem(const std::string& /*problem*/) {}
    /// All steps are done or the session was stopped, and all files are written. Called again if training continues after that.
    virtual void onEnd(const RunSummary& /*summary*/) {}
    /// Training had collapsed or diverged, and continues from an earlier state with lower rates.
    virtual void onRollback(const Rollback& /*rollback*/) {}
    /// Training has diverged or collapsed: it pauses until a restart, and onEnd() is not called.
    virtual void onDivergence(const Diverged& /*problem*/) {}
    /// Training has failed; the device may be lost. Must not throw.
    virtual void onFailure(const std::string& /*problem*/) {}
    /// Training that started has failed, or has diverged and is left: these files exist.
    virtual void onRescue(const SavedFiles& /*saved*/) {}
};

}  // namespace splat
