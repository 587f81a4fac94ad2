#include <splatwright/train/session/session_runner.h>

#include <algorithm>
#include <utility>

#include <splatwright/core/log.h>
#include <splatwright/gpu/check.h>
#include <splatwright/train/parts/check_settings.h>
#include <splatwright/train/presets/requested_settings.h>

namespace splat {

SessionRunner::SessionRunner(gpu::Device& device, SessionOptions options)
    : sort_(device),
      options_(std::move(options)),
      observer_(options_.observer ? *options_.observer : none_),
      training_(device, sort_, options_, observer_, commands_) {}

std::optional<RunSummary> SessionRunner::run() {
    try {
        restart(options_.settings);
    } catch (const Stopped&) {
        return {};
    }
    attempt([&] { start(); });
    work();
    return training_.summary();
}

void SessionRunner::trainTo(uint32_t step) {
    running_ = trainer().stepsDone() < std::min(step, trainer().settings().steps);
    pauseAt_ = step;
    while (running_ && !commands_.stopped()) workOnce();
}

std::optional<RunSummary> SessionRunner::finish() {
    running_ = false;
    if (training_.trainer() && !failed_) attempt([&] { end(); });
    return training_.summary();
}

void SessionRunner::serve() {
    serving_ = true;
    attempt([&] { restart(options_.settings); });
    work();
}

/// Executes commands and trains between them, until stop() or, in run(), the last step. Then writes the results.
void SessionRunner::work() {
    while (!commands_.stopped() && (serving_ || !training_.complete())) workOnce();
    finish();
}

/// Executes the next command, or trains up to it.
void SessionRunner::workOnce() {
    if (const auto command = commands_.next(!running_)) {
        // Invalid input of a command changes nothing, unless it was a restart that has ended the training before.
        attempt([&] {
            try {
                (*command)();
            } catch (const InputError& problem) {
                if (failed_) return spdlog::warn("training: {}", problem.what());  // the reason of the failure stays the last problem
                if (!training_.trainer()) throw;
                refuse(problem);
            }
        });
        commands_.done();
    } else if (running_) {
        attempt([&] { runSteps(); });
    }
}

/// A problem ends this training; in serve() the session continues, in run() it throws.
void SessionRunner::attempt(const std::function<void()>& action) {
    try {
        action();
    } catch (const Stopped&) {  // commands_.stopped() ends the loop
    } catch (const Diverged& problem) {
        stopDiverged(problem);
        if (serving_) return;
        training_.leaveDiverged();
        throw;
    } catch (const std::exception& problem) {
        fail(problem);
        if (!serving_) throw;
    }
}

void SessionRunner::refuse(const InputError& problem) {
    observer_.onProblem(problem.what());
    rest();
}

/// Writes a file of a training that goes on. A failure, such as a full disk, does not end it: the next checkpoint may succeed.
void SessionRunner::tolerate(const std::function<void()>& write) {
    try {
        write();
    } catch (const gpu::DeviceLost&) {
        throw;
    } catch (const Diverged&) {
        throw;
    } catch (const Error& problem) {
        observer_.onProblem(running_ ? fmt::format("{}; training continues", problem.what()) : problem.what());
    }
}

void SessionRunner::fail(const std::exception& problem) {
    failed_ = true;
    running_ = false;
    const bool lost = dynamic_cast<const gpu::DeviceLost*>(&problem) != nullptr;
    if (training_.trainer() && !lost) training_.files().rescueSplats(*training_.trainer());
    observer_.onFailure(problem.what());
    if (training_.trainer()) observer_.onRescue(training_.files().saved());
    observer_.onPhase(SessionPhase::failed);
}

/// Stops training until a restart. The last checkpoint, if there is one, is kept.
void SessionRunner::stopDiverged(const Diverged& problem) {
    if (diverged_) {
        observer_.onProblem(problem.what());
    } else {
        training_.diverged(problem);
    }
    diverged_ = true;
    running_ = false;
    pauseAt_ = 0;
    tolerate([&] { training_.files().finishCheckpoint(true); });
    observer_.onPhase(SessionPhase::paused);
}

void SessionRunner::restart(const TrainSettings& given) {
    const TrainSettings settings = withStrategyDefaults(given);
    checkTogether(settings);
    if (training_.trainer()) tolerate([&] { training_.files().finishCheckpoint(true); });
    failed_ = diverged_ = false;
    pauseAt_ = 0;
    training_.begin(settings, serving_);
    rest();
}

Trainer& SessionRunner::trainer() {
    if (failed_ || !training_.trainer()) throw InputError("training has failed; start it again");
    return *training_.trainer();
}

/// Reports the phase between two commands.
void SessionRunner::rest() {
    if (training_.complete()) running_ = false;
    tolerate([&] { training_.files().finishCheckpoint(!running_); });
    if (running_) return observer_.onPhase(SessionPhase::running);
    if (training_.complete()) return observer_.onPhase(SessionPhase::finished);
    observer_.onPhase(training_.trainer()->stepsDone() == 0 ? SessionPhase::ready : SessionPhase::paused);
}

void SessionRunner::start() {
    trainer();
    running_ = true;
    pauseAt_ = 0;
    rest();
}

void SessionRunner::pause() {
    trainer();
    running_ = false;
    pauseAt_ = 0;
    rest();
}

void SessionRunner::step() {
    pauseAt_ = std::max(pauseAt_, trainer().stepsDone()) + 1;  // several may wait in the queue
    running_ = true;
    rest();
}

void SessionRunner::change(const TrainSettings& settings) {
    trainer();
    training_.change(withStrategyDefaults(settings));
    rest();
}

/// Trains until a pause, a step with something to do after it, or a command.
void SessionRunner::runSteps() {
    observer_.onPhase(SessionPhase::running);
    training_.advance(pauseAt_);
    if (commands_.stopped()) return;
    if (pauseAt_ > 0 && training_.trainer()->stepsDone() == pauseAt_) {  // a training that is rolled back may be at step 0
        running_ = false;
        pauseAt_ = 0;
    }
    if (training_.evaluationDue()) training_.score(true);
    if (training_.complete()) {
        end();
    } else if (training_.checkpointDue()) {
        saveCheckpoint(training_.files().file(kCheckpointFile));
    }
    rest();
}

void SessionRunner::end() { diverged_ ? training_.leaveDiverged() : training_.end(); }

void SessionRunner::evaluateNow() {
    trainer();
    training_.score(true);
    if (training_.data().data().test.empty()) observer_.onProblem("there are no test views (test_every)");
    rest();
}

void SessionRunner::evaluateTrainingViews() {
    trainer();
    training_.scoreTrainingViews();
    rest();
}

void SessionRunner::removeFloaters(double times) {
    trainer();
    training_.removeFloaters(times);
    rest();
}

/// Also works after training has failed. An unwritable path does not end training.
void SessionRunner::saveSplats(const std::filesystem::path& path, const SplatWriter* writer) {
    if (!training_.trainer()) throw InputError("{}: there are no splats to save", path.string());
    try {
        training_.files().writeSplats(*training_.trainer(), path, writer);
    } catch (const Error& problem) {
        observer_.onProblem(problem.what());
    }
}

void SessionRunner::saveCheckpoint(const std::filesystem::path& path) {
    tolerate([&] { training_.files().finishCheckpoint(true); });  // an earlier one
    tolerate([&] {
        trainer();
        training_.writeCheckpoint(path);
    });
    tolerate([&] { training_.files().finishCheckpoint(!running_); });
}

}  // namespace splat
