#include "train/live_worker.h"

#include <cmath>

#include "core/log.h"
#include "gpu/check.h"
#include "train/evaluate.h"
#include "train/resume.h"

namespace splat {

namespace {

/// Thrown out of long work when it is time to stop.
struct Stopped {};

}  // namespace

LiveWorker::LiveWorker(gpu::Device& device, const primitives::RadixSort& sort, LiveOptions options)
    : device_(device), sort_(sort), options_(std::move(options)) {
    state_.settings = options_.settings;
    thread_ = std::jthread([this] { work(); });
}

LiveWorker::~LiveWorker() {
    commands_.stop();
    thread_.join();
}

void LiveWorker::work() {
    try {
        attempt([&] { reset(options_.settings); });
        while (!commands_.stopped()) {
            if (const auto command = commands_.next(!running_)) {
                attempt(*command);
                commands_.done();
            } else if (running_) {
                attempt([&] { runSteps(); });
            }
        }
    } catch (const Stopped&) {
    }
    running_ = false;
    if (trainer_ && !failed_) attempt([&] { end(); });
    dropTrainer();
}

/// Does something. The user's mistakes leave everything as it is; what else goes wrong is the end of this training, but not of the window.
void LiveWorker::attempt(const std::function<void()>& action) {
    try {
        action();
    } catch (const Diverged& problem) {
        stopDiverged(problem);
    } catch (const InputError& problem) {
        if (failed_) return spdlog::warn("training: {}", problem.what());  // why it failed is what there is to say
        if (!trainer_) return fail(problem.what());
        tell(problem.what());
        rest();
    } catch (const std::exception& problem) {
        fail(problem.what());
    }
}

void LiveWorker::fail(const std::string& problem) {
    spdlog::error("training: {}", problem);
    failed_ = true;
    running_ = false;
    if (options_.observer) options_.observer->onFailure(problem, trainer_.get());
    changeState([&](LiveState& s) {
        s.phase = LivePhase::failed;
        s.problem = problem;
        ++s.problems;
    });
}

/// A pause that only a new start gets over. The last checkpoint, if there is one, stays.
void LiveWorker::stopDiverged(const Diverged& problem) {
    if (!diverged_) {
        spdlog::error("{}", problem.what());
        if (options_.observer) options_.observer->onDivergence(problem);
    }
    diverged_ = true;
    running_ = false;
    pauseAt_ = 0;
    tell(problem.what());
    noteCheckpoint();
    setPhase(LivePhase::paused);
}

void LiveWorker::tell(const std::string& problem) {
    changeState([&](LiveState& s) {
        s.problem = problem;
        ++s.problems;
    });
}

/// A new start: reads photographs where those that are there will not do.
void LiveWorker::reset(const TrainSettings& settings) {
    checkTogether(settings);
    finishWriting();
    dropTrainer();
    failed_ = diverged_ = false;
    pauseAt_ = 0;
    if (!data_.fits(settings)) load(settings);
    makeTrainer(settings);
    rest();
}

void LiveWorker::load(const TrainSettings& settings) {
    setPhase(LivePhase::loading);
    const auto progress = [&](Split split, size_t done, size_t total) {
        if (commands_.stopped()) throw Stopped();
        changeState([&](LiveState& s) {
            s.loading = split == Split::train ? "training views" : "test views";
            s.loaded = static_cast<double>(done) / static_cast<double>(total);
        });
    };
    const Dataset dataset = loadDataset(options_.data, options_.reading);
    tellChoices(dataset, static_cast<int>(settings.testEvery));
    data_.load(dataset, settings, progress);
    changeState([&](LiveState& s) {
        s.dataGeneration = data_.generation();
        s.placement = placementOf(data_.data().frame);
    });
}

void LiveWorker::makeTrainer(const TrainSettings& settings) {
    const TrainingData& data = data_.data();
    auto trainer = std::make_unique<Trainer>(device_, sort_, settings, startOf(data, settings), data.train, kFrameExtent);
    trainer->setQueueAhead(options_.queueAhead);
    earlier_ = {};
    if (options_.resume) {
        checkSameData(*options_.resume, describeData(data));
        restore(*trainer, *options_.resume, device_.name());
        earlier_ = historyOf(*options_.resume);
        options_.resume.reset();  // once: a new start begins from nothing
    }
    endedAt_ = trainer->stepsDone();
    scoredAt_ = 0;
    stages_ = {};
    changeState([&](LiveState& s) {
        history_ = {};
        s.settings = settings;
        s.problem.clear();
        s.last = {.step = trainer->stepsDone()};
        s.savedStep = s.last.step;
        s.checkpointStep.reset();
        s.evaluations.clear();
        s.stages.clear();
        s.shDegree = trainer->shDegree();
    });
    if (options_.observer) options_.observer->onStart(*trainer, data);
    const std::scoped_lock lock(trainerLock_);
    trainer_ = std::move(trainer);
}

void LiveWorker::dropTrainer() {
    const std::scoped_lock lock(trainerLock_);
    trainer_.reset();
}

Trainer& LiveWorker::trainer() const {
    if (failed_ || !trainer_) throw InputError("training has failed: a new start is needed");
    return *trainer_;
}

void LiveWorker::setPhase(LivePhase phase) {
    changeState([&](LiveState& s) { s.phase = phase; });
}

/// What the phase is between two commands.
void LiveWorker::rest() {
    const uint32_t done = trainer_->stepsDone();
    const bool finished = done >= trainer_->settings().steps;
    if (finished) running_ = false;
    noteCheckpoint();
    if (running_) return setPhase(LivePhase::running);
    setPhase(finished ? LivePhase::finished : done == 0 ? LivePhase::ready : LivePhase::paused);
}

void LiveWorker::start() {
    trainer();
    running_ = true;
    pauseAt_ = 0;
    rest();
}

void LiveWorker::pause() {
    trainer();
    running_ = false;
    pauseAt_ = 0;
    rest();
}

void LiveWorker::step() {
    pauseAt_ = std::max(pauseAt_, trainer().stepsDone()) + 1;  // several wait in the queue
    running_ = true;
    rest();
}

void LiveWorker::change(const TrainSettings& settings) {
    trainer().change(settings);
    changeState([&](LiveState& s) {
        s.settings = settings;
        s.problem.clear();
    });
    rest();
}

/// Until a pause, something to do after a step, or a command.
void LiveWorker::runSteps() {
    Trainer& trainer = *trainer_;
    setPhase(LivePhase::running);
    clock_.restart(trainer.stepsDone());
    trainer.run(nextStop(), [&](const StepReport& report) { return onStep(report); });
    if (commands_.stopped()) return;
    noteStages();
    const uint32_t done = trainer.stepsDone();
    if (done == pauseAt_) {
        running_ = false;
        pauseAt_ = 0;
    }
    stopAt(done);
    rest();
}

/// The next step after which there is something to do.
uint32_t LiveWorker::nextStop() const {
    const TrainSettings& settings = trainer_->settings();
    const uint32_t done = trainer_->stepsDone();
    uint32_t stop = settings.steps;
    if (const auto evaluation = options_.evaluateAt.upper_bound(done); evaluation != options_.evaluateAt.end())
        stop = std::min(stop, *evaluation);
    const uint32_t every = options_.checkpoint.empty() ? 0 : settings.checkpointEvery;
    if (every > 0) stop = std::min(stop, (done / every + 1) * every);
    return pauseAt_ > done ? std::min(stop, pauseAt_) : stop;
}

void LiveWorker::stopAt(uint32_t step) {
    const TrainSettings& settings = trainer_->settings();
    const bool last = step == settings.steps;
    if (last || options_.evaluateAt.contains(step)) score(true);
    if (last) return end();
    const uint32_t every = options_.checkpoint.empty() ? 0 : settings.checkpointEvery;
    if (every > 0 && step % every == 0) saveCheckpoint(options_.checkpoint);
}

/// Called for every step, while the GPU works on later ones: nothing here may take long.
bool LiveWorker::onStep(const StepReport& report) {
    const double milliseconds = clock_.lap(report.step);  // NaN for the first step, which a curve shows as 0
    const double known = std::isfinite(milliseconds) ? milliseconds : 0;
    const int shDegree = trainer_->shDegree();
    changeState([&](LiveState& s) {
        s.last = report;
        s.millisecondsPerStep = known;
        s.shDegree = shDegree;
        history_.add({.step = report.step, .loss = report.loss, .splats = report.gaussians, .milliseconds = known});
    });
    if (options_.observer) options_.observer->onStep(report, milliseconds, trainer_->settings());
    if (stages_.due()) noteStages();
    return !commands_.waiting();
}

void LiveWorker::noteStages() {
    auto stages = stages_.lap(trainer_->costs());
    noteCheckpoint();
    if (!stages.empty()) changeState([&](LiveState& s) { s.stages = std::move(stages); });
}

void LiveWorker::evaluateNow() {
    trainer();
    score(true);
    if (data_.data().test.empty()) tell("there are no test views (test_every)");
    rest();
}

/// Renders in the memory that steps work in, so that both never stand beside each other.
void LiveWorker::score(bool canStop) {
    const std::vector<Photograph>& views = data_.data().test;
    if (views.empty()) {
        scoredAt_ = trainer_->stepsDone();
        if (options_.observer) options_.observer->onEvaluation({});
        return;
    }
    setPhase(LivePhase::evaluating);
    trainer_->releaseFrame();
    Renderer renderer(device_, sort_);
    const EvaluatedModel model{trainer_->model(), trainer_->shDegree(), trainer_->settings().background};
    const Evaluation scores = evaluate(renderer, model, views, [&](size_t, const Image8&) {
        if (canStop && commands_.stopped()) throw Stopped();
    });
    scoredAt_ = trainer_->stepsDone();
    changeState([&](LiveState& s) { s.evaluations.push_back({trainer_->stepsDone(), scores.psnr, scores.ssim}); });
    if (options_.observer) options_.observer->onEvaluation(scores);
}

/// A command that is not pending any more has changed the state that comes along.
LiveState LiveWorker::state() const {
    const uint32_t pending = commands_.pending();
    const std::scoped_lock lock(stateMutex_);
    LiveState state = state_;
    state.pending = pending;
    state.history = history_.points();
    return state;
}

bool LiveWorker::withModel(const std::function<void(const LiveModel&)>& draw) {
    const std::scoped_lock lock(trainerLock_);
    if (!trainer_) return false;
    const std::scoped_lock modelLock(trainer_->modelLock());
    const int shDegree = [&] {
        const std::scoped_lock stateLock(stateMutex_);
        return state_.shDegree;
    }();
    draw({trainer_->model(), shDegree, trainer_->modelGeneration(), trainer_->growth()});
    return true;
}

}  // namespace splat
