#include <splatwright/train/session/session_files.h>

#include <chrono>
#include <limits>
#include <utility>

#include <splatwright/core/file.h>
#include <splatwright/core/log.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/model/trained_kind.h>
#include <splatwright/train/parts/pose_settings.h>
#include <splatwright/train/session/results.h>

namespace splat {

namespace {

LogLine lineOf(const StepReport& report, double millisecondsPerStep, std::string problem = {}) {
    return {.step = report.step,
            .loss = report.loss,
            .splats = report.gaussians,
            .millisecondsPerStep = millisecondsPerStep,
            .losses = report.losses,
            .health = {},
            .colourDifference = report.colourDifference,
            .psnr = {},
            .seconds = {},
            .problem = std::move(problem),
            .rolledBackTo = {}};
}

}  // namespace

SessionFiles::SessionFiles(gpu::Device& device, const primitives::RadixSort& sort, const SessionOptions& options, SessionObserver& observer,
                           const SessionData& data, const TrainingWatch& watch, const GrowthWatch& growth)
    : device_(device), sort_(sort), options_(options), observer_(observer), data_(data), watch_(watch), growth_(growth) {
    if (!options.folder.empty()) record_.emplace(options.folder, options.resume, options.overwrite);
}

void SessionFiles::begin(const Trainer& trainer, TrainSettings settings, RunHistory earlier, std::optional<ColourTest> colourTest,
                         const std::filesystem::path& resumed) {
    settings_ = std::move(settings);
    saved_ = {.splatsStep = {}, .splats = {}, .checkpointStep = {}, .checkpoint = resumed};
    writer_ = {};
    earlier_ = std::move(earlier);
    colourTest_ = colourTest;
    evaluation_ = {};
    results_ = trainedKind(trainer.model().kind).results(device_, sort_, data_);
    if (record_) record_->begin({.steps = trainer.stepsDone(), .rollbacks = watch_.rollbacks().size() + (growth_.endedAt() ? 1 : 0)});
}

void SessionFiles::open() {
    if (record_) record_->open();
}

void SessionFiles::step(const StepReport& report, double millisecondsPerStep, const std::optional<HealthSample>& sample,
                        bool awaitsEvaluation) {
    if (!record_) return;
    LogLine line = lineOf(report, millisecondsPerStep);
    line.health = sample;
    record_->step(line, awaitsEvaluation);
}

void SessionFiles::evaluated(const Trainer& trainer, const Evaluation& evaluation, const Image8& last) {
    evaluation_ = evaluation;
    if (!record_) return;
    results_->evaluated(trainer, evaluation, last);
    record_->evaluated(evaluation, history(trainer).trainSeconds);
}

void SessionFiles::diverged(const Diverged& problem, double millisecondsPerStep) {
    if (record_) record_->step(lineOf(problem.report, millisecondsPerStep, problem.what()), false);
}

/// The trainer counts its seconds anew after it is restored.
void SessionFiles::rollsBack(const Trainer& trainer) { earlier_.trainSeconds += trainer.costs().seconds; }

void SessionFiles::rolledBack(const Diverged& problem, const Rollback& rollback, double millisecondsPerStep) {
    if (!record_) return;
    LogLine line = lineOf(problem.report, millisecondsPerStep, problem.what());
    line.rolledBackTo = rollback.to;
    record_->step(line, false);
}

void SessionFiles::growthEnded(const WithheldScore& seen, uint32_t to, const std::string& why) {
    if (!record_) return;
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    LogLine line{.step = seen.step, .loss = kUnknown, .splats = seen.splats, .millisecondsPerStep = kUnknown};
    line.problem = why;
    line.rolledBackTo = to;
    record_->step(line, false);
}

size_t SessionFiles::writeSplats(const Trainer& trainer, const std::filesystem::path& path, const SplatWriter* writer) {
    const Gaussians splats = trainedSplats(device_, trainer, data_.data().frame);
    if (writer || !results_->saveOwn(trainer, path)) (writer ? *writer : splatWriterOf(path)).write(path, splats);
    observer_.onSplats(trainer.stepsDone(), path);
    return splats.count();
}

RunHistory SessionFiles::history(const Trainer& trainer) const {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - options_.begin;
    return {.trainSeconds = earlier_.trainSeconds + trainer.costs().seconds,
            .totalSeconds = earlier_.totalSeconds + seconds.count(),
            .resumedFrom = earlier_.resumedFrom};
}

void SessionFiles::writeCheckpoint(Trainer& trainer, const std::filesystem::path& path) {
    Checkpoint checkpoint = trainer.checkpoint();
    describeRun(checkpoint, {.version = options_.version,
                             .device = device_.name(),
                             .history = history(trainer),
                             .settings = settings_,
                             .data = data_.data(),
                             .colourTest = colourTest_,
                             .watch = watch_.state()});
    growth_.saveIn(checkpoint);
    writer_.write(std::move(checkpoint), trainer.stepsDone(), path);
}

void SessionFiles::reportEarlier() {
    try {
        finishCheckpoint(true);
    } catch (const Error& problem) {
        observer_.onProblem(problem.what());
    }
}

void SessionFiles::finishCheckpoint(bool wait) {
    if (wait || writer_.ready()) writer_.finish();
    if (!writer_.written() || writer_.written() == saved_.checkpointStep) return;
    saved_.checkpointStep = writer_.written();
    saved_.checkpoint = writer_.path();
    observer_.onCheckpoint(*saved_.checkpointStep, saved_.checkpoint);
}

RunSummary SessionFiles::summarise(const Trainer& trainer, size_t splats) const {
    RunHistory all = history(trainer);
    RunSummary summary{.settings = settings_,
                       .evaluation = evaluation_,
                       .costs = trainer.costs(),
                       .splats = splats,
                       .trainingViews = data_.data().train.size(),
                       .totalSeconds = all.totalSeconds,
                       .resumedFrom = std::move(all.resumedFrom),
                       .rollbacks = watch_.rollbacks(),
                       .growth = growth_.report(),
                       .colourTest = colourTest_,
                       .peakDeviceBytes = device_.memoryPeak(),
                       .device = device_.name(),
                       .version = options_.version};
    summary.costs.seconds = all.trainSeconds;
    return summary;
}

/// The checkpoint of a complete run is written last, so that a checkpoint with all steps implies complete results. That of a stopped run is written
/// first, because the process may be killed soon after.
RunSummary SessionFiles::end(Trainer& trainer) {
    reportEarlier();
    if (!record_) return summarise(trainer, trainedSplats(device_, trainer, data_.data().frame).count());
    const bool complete = trainer.complete();
    if (!complete) writeCheckpoint(trainer, file(kCheckpointFile));
    record_->open();
    const size_t splats = writeSplats(trainer, file(kSplatsFile));
    saved_.splats = file(kSplatsFile);
    saved_.splatsStep = trainer.stepsDone();
    if (trainer.settings().of<PoseSettings>().refinePoses) record_->save(trainedCameras(trainer, data_.data()));
    if (complete) record_->save(results_->strip(trainer), kStripFile);
    RunSummary summary = summarise(trainer, splats);
    results_->save(*record_, trainer, summary);
    record_->save(summary);
    if (complete) writeCheckpoint(trainer, file(kCheckpointFile));
    finishCheckpoint(true);
    return summary;
}

bool SessionFiles::returnToCheckpoint(Trainer& trainer) {
    if (!saved().checkpointStep) return false;
    try {
        trainer.restore(readCheckpoint(saved_.checkpoint));
        return true;
    } catch (const Error& problem) {
        spdlog::error("{}", problem.what());
        return false;
    }
}

void SessionFiles::rescueCheckpoint(Trainer& trainer) {
    try {
        record_->open();
        writeCheckpoint(trainer, file(kCheckpointFile));
        finishCheckpoint(true);
    } catch (const Error& problem) {
        spdlog::error("{}", problem.what());
    }
}

void SessionFiles::rescueSplats(const Trainer& trainer) {
    if (!record_ || trainer.stepsDone() == 0 || saved_.splatsStep == trainer.stepsDone()) return;
    try {
        record_->open();
        writeSplats(trainer, file(kSplatsFile));
        saved_.splats = file(kSplatsFile);
        saved_.splatsStep = trainer.stepsDone();
    } catch (const Error& problem) {
        spdlog::error("{}", problem.what());
    }
}

const SavedFiles& SessionFiles::saved() {
    try {
        finishCheckpoint(true);
    } catch (const Error& problem) {
        spdlog::error("{}", problem.what());
    }
    return saved_;
}

}  // namespace splat
