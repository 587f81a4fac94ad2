// What a live training writes. What it does otherwise is in live_worker.cpp.
#include <algorithm>

#include "core/log.h"
#include "scene/formats/ply.h"
#include "scene/usable.h"
#include "train/live_worker.h"

namespace splat {

/// Everything that is to be left of this training is written; the checkpoint comes last. Once for a step.
void LiveWorker::end() {
    const uint32_t done = trainer_->stepsDone();
    if (diverged_ || done == endedAt_) return;
    if (done == trainer_->settings().steps && scoredAt_ != done) score(false);  // it was left while that was going on
    finishWriting();
    if (options_.observer) options_.observer->onEnd(*trainer_, data_.data());
    if (!options_.checkpoint.empty()) {
        write(checkpoint(), options_.checkpoint);
        writer_->finish();
        noteWritten();
    }
    endedAt_ = done;
    if (options_.observer || !options_.checkpoint.empty()) changeState([&](LiveState& s) { s.savedStep = done; });
}

void LiveWorker::saveSplats(const std::filesystem::path& path) {
    if (!trainer_) throw InputError("{}: there are no splats to save", path.string());
    const Gaussians gaussians = usableOnly(trainer_->model().download(device_, trainer_->shDegree()));  // of a training that failed, too
    try {
        writePly(path, fromFrame(data_.data().frame, gaussians));
        changeState([&](LiveState& s) { s.savedStep = trainer_->stepsDone(); });
        spdlog::info("step {}: {} splats in {}", trainer_->stepsDone(), gaussians.count(), path.string());
    } catch (const Error& problem) {
        tell(problem.what());  // a path that cannot be written is no reason to end training
    }
}

Checkpoint LiveWorker::checkpoint() const {
    Checkpoint checkpoint = trainer().checkpoint();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    describeRun(checkpoint, {.version = options_.version,
                             .device = device_.name(),
                             .history = {.trainSeconds = earlier_.trainSeconds + trainer_->costs().seconds,
                                         .totalSeconds = earlier_.totalSeconds + seconds,
                                         .resumedFrom = earlier_.resumedFrom},
                             .settings = trainer_->settings(),
                             .data = describeData(data_.data())});
    return checkpoint;
}

void LiveWorker::write(Checkpoint checkpoint, const std::filesystem::path& path) {
    if (writer_ && writer_->path() != path) writer_->finish();
    if (!writer_ || writer_->path() != path) writer_.emplace(path);
    writer_->write(std::move(checkpoint), trainer_->stepsDone());
}

void LiveWorker::saveCheckpoint(const std::filesystem::path& path) {
    Checkpoint now = checkpoint();
    try {
        write(std::move(now), path);
    } catch (const Error& problem) {
        tell(problem.what());
    }
    noteCheckpoint();
}

/// Of a checkpoint that somebody asked for before.
void LiveWorker::finishWriting() {
    if (!writer_) return;
    try {
        writer_->finish();
        noteWritten();
    } catch (const Error& problem) {
        tell(problem.what());
    }
    writer_.reset();
}

void LiveWorker::noteWritten() {
    changeState([&](LiveState& s) {
        s.checkpointStep = writer_->written();
        s.savedStep = std::max(s.savedStep, s.checkpointStep.value_or(0));
    });
}

/// A disk that is full is no reason to end training.
void LiveWorker::noteCheckpoint() {
    if (!writer_) return;
    try {
        running_ ? writer_->poll() : writer_->finish();
        noteWritten();
    } catch (const Error& problem) {
        tell(problem.what());
    }
}

}  // namespace splat
