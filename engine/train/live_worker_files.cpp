// What a live training writes. What it does otherwise is in live_worker.cpp.
#include "core/log.h"
#include "scene/formats/ply.h"
#include "train/live_worker.h"

namespace splat {

/// Everything that is to be left of this training is written; the checkpoint comes last. Once for a step.
void LiveWorker::end() {
    const uint32_t done = trainer_->stepsDone();
    if (done == endedAt_) return;
    if (options_.observer) options_.observer->onEnd(*trainer_, data_.data());
    if (!options_.checkpoint.empty()) {
        write(checkpoint(), options_.checkpoint);
        writer_->finish();
    }
    endedAt_ = done;
}

void LiveWorker::saveSplats(const std::filesystem::path& path) {
    if (!trainer_) throw InputError("{}: there are no splats to save", path.string());
    const Gaussians gaussians = trainer_->model().download(device_, trainer_->shDegree());  // of a training that failed, too
    try {
        writePly(path, fromFrame(data_.data().frame, gaussians));
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

/// A disk that is full is no reason to end training.
void LiveWorker::noteCheckpoint() {
    if (!writer_) return;
    try {
        running_ ? writer_->poll() : writer_->finish();
        changeState([&](LiveState& s) { s.checkpointStep = writer_->written(); });
    } catch (const Error& problem) {
        tell(problem.what());
    }
}

}  // namespace splat
