#include "train/live_training.h"

#include <atomic>
#include <chrono>
#include <thread>

#include "core/log.h"
#include "core/settings.h"
#include "gpu/check.h"
#include "scene/formats/ply.h"
#include "train/checkpoint_writer.h"
#include "train/command_queue.h"
#include "train/evaluate.h"
#include "train/live_data.h"
#include "train/resume.h"
#include "train/stage_clock.h"
#include "train/step_clock.h"

namespace splat {

namespace {

/// Thrown out of long work when it is time to stop.
struct Stopped {};

}  // namespace

std::string_view nameOf(LivePhase phase) {
    switch (phase) {
        case LivePhase::loading: return "loading";
        case LivePhase::ready: return "ready";
        case LivePhase::running: return "running";
        case LivePhase::paused: return "paused";
        case LivePhase::evaluating: return "evaluating";
        case LivePhase::finished: return "finished";
        case LivePhase::failed: return "failed";
    }
    return "";
}

class LiveTraining::Impl {
public:
    Impl(gpu::Device& device, const primitives::RadixSort& sort, LiveOptions options);
    ~Impl();

    LiveState state() const;
    bool withModel(const std::function<void(const LiveModel&)>& draw);

    // Commands; on the training thread.
    void start();
    void pause();
    void step();
    void reset(const TrainSettings& settings);
    void change(const TrainSettings& settings);
    void evaluateNow();
    void saveSplats(const std::filesystem::path& path);
    void saveCheckpoint(const std::filesystem::path& path);

    CommandQueue commands_;
    LiveData data_;

private:
    void work();
    void attempt(const std::function<void()>& action);
    void fail(const std::string& problem);
    void tell(const std::string& problem);
    void begin(const TrainSettings& settings);
    void load(const TrainSettings& settings);
    void makeTrainer(const TrainSettings& settings);
    void dropTrainer();
    Trainer& trainer() const;
    void runSteps();
    uint32_t nextStop() const;
    void stopAt(uint32_t step);
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

    gpu::Device& device_;
    const primitives::RadixSort& sort_;
    const LiveOptions options_;

    mutable std::mutex stateMutex_;
    LiveState state_;  ///< the history excepted
    LiveHistory history_;
    FairMutex trainerLock_;  ///< of whether there is a trainer; taken before the trainer's own
    std::unique_ptr<Trainer> trainer_;

    // The training thread's own.
    bool failed_ = false;
    bool running_ = false;
    uint32_t pauseAt_ = 0;  ///< step to pause after; 0: none
    StepClock clock_;
    StageClock stages_;
    std::optional<CheckpointWriter> writer_;
    std::jthread thread_;  // last: it uses all of the above
};

LiveTraining::Impl::Impl(gpu::Device& device, const primitives::RadixSort& sort, LiveOptions options)
    : device_(device), sort_(sort), options_(std::move(options)) {
    state_.settings = options_.settings;
    thread_ = std::jthread([this] { work(); });
}

LiveTraining::Impl::~Impl() {
    commands_.stop();
    thread_.join();
}

void LiveTraining::Impl::work() {
    try {
        attempt([&] { begin(options_.settings); });
        while (!commands_.stopped()) {
            if (const auto command = commands_.next(!running_)) {
                attempt(*command);
            } else if (running_) {
                attempt([&] { runSteps(); });
            }
        }
    } catch (const Stopped&) {
    }
    dropTrainer();
}

/// Does something. The user's mistakes leave everything as it is; what else goes wrong is the end of this training, but not of the window.
void LiveTraining::Impl::attempt(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& problem) {
        if (failed_) return spdlog::warn("training: {}", problem.what());  // why it failed is what there is to say
        if (!trainer_) return fail(problem.what());
        tell(problem.what());
        rest();
    } catch (const std::exception& problem) {
        fail(problem.what());
    }
}

void LiveTraining::Impl::fail(const std::string& problem) {
    spdlog::error("training: {}", problem);
    failed_ = true;
    running_ = false;
    setPhase(LivePhase::failed);
    tell(problem);
}

void LiveTraining::Impl::tell(const std::string& problem) {
    changeState([&](LiveState& s) { s.problem = problem; });
}

/// A new start: reads photographs where those that are there will not do.
void LiveTraining::Impl::begin(const TrainSettings& settings) {
    checkTogether(settings);
    dropTrainer();
    failed_ = false;
    pauseAt_ = 0;
    if (!data_.fits(settings)) load(settings);
    makeTrainer(settings);
    rest();
}

void LiveTraining::Impl::load(const TrainSettings& settings) {
    setPhase(LivePhase::loading);
    const auto progress = [&](Split split, size_t done, size_t total) {
        if (commands_.stopped()) throw Stopped();
        changeState([&](LiveState& s) {
            s.loading = split == Split::train ? "training views" : "test views";
            s.loaded = static_cast<double>(done) / static_cast<double>(total);
        });
    };
    data_.load(loadDataset(options_.data, {.images = options_.images}), settings, progress);
    changeState([&](LiveState& s) {
        s.dataGeneration = data_.generation();
        s.placement = placementOf(data_.data().frame);
    });
}

void LiveTraining::Impl::makeTrainer(const TrainSettings& settings) {
    const TrainingData& data = data_.data();
    auto trainer = std::make_unique<Trainer>(device_, sort_, settings, startOf(data, settings), data.train, kFrameExtent);
    trainer->setQueueAhead(options_.queueAhead);
    stages_ = {};
    changeState([&](LiveState& s) {
        history_ = {};
        s.settings = settings;
        s.problem.clear();
        s.last = {};
        s.evaluations.clear();
        s.stages.clear();
        s.shDegree = 0;
    });
    const std::scoped_lock lock(trainerLock_);
    trainer_ = std::move(trainer);
}

void LiveTraining::Impl::dropTrainer() {
    const std::scoped_lock lock(trainerLock_);
    trainer_.reset();
}

Trainer& LiveTraining::Impl::trainer() const {
    if (failed_ || !trainer_) throw InputError("training has failed: a new start is needed");
    return *trainer_;
}

void LiveTraining::Impl::setPhase(LivePhase phase) {
    changeState([&](LiveState& s) { s.phase = phase; });
}

/// What the phase is between two commands.
void LiveTraining::Impl::rest() {
    const uint32_t done = trainer_->stepsDone();
    const bool finished = done >= trainer_->settings().steps;
    if (finished) running_ = false;
    noteCheckpoint();
    if (running_) return setPhase(LivePhase::running);
    setPhase(finished ? LivePhase::finished : done == 0 ? LivePhase::ready : LivePhase::paused);
}

void LiveTraining::Impl::start() {
    trainer();
    running_ = true;
    pauseAt_ = 0;
    rest();
}

void LiveTraining::Impl::pause() {
    trainer();
    running_ = false;
    pauseAt_ = 0;
    rest();
}

void LiveTraining::Impl::step() {
    pauseAt_ = std::max(pauseAt_, trainer().stepsDone()) + 1;  // several wait in the queue
    running_ = true;
    rest();
}

void LiveTraining::Impl::reset(const TrainSettings& settings) { begin(settings); }

void LiveTraining::Impl::change(const TrainSettings& settings) {
    trainer().change(settings);
    changeState([&](LiveState& s) {
        s.settings = settings;
        s.problem.clear();
    });
    rest();
}

/// Until a pause, something to do after a step, or a command.
void LiveTraining::Impl::runSteps() {
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
uint32_t LiveTraining::Impl::nextStop() const {
    const TrainSettings& settings = trainer_->settings();
    const uint32_t done = trainer_->stepsDone();
    uint32_t stop = settings.steps;
    for (const uint32_t every : {options_.evaluateEvery, options_.checkpoint.empty() ? 0 : settings.checkpointEvery})
        if (every > 0) stop = std::min(stop, (done / every + 1) * every);
    return pauseAt_ > done ? std::min(stop, pauseAt_) : stop;
}

void LiveTraining::Impl::stopAt(uint32_t step) {
    const TrainSettings& settings = trainer_->settings();
    const auto due = [&](uint32_t every) { return step == settings.steps || (every > 0 && step % every == 0); };
    if (due(options_.evaluateEvery)) evaluateNow();
    if (!options_.checkpoint.empty() && due(settings.checkpointEvery)) saveCheckpoint(options_.checkpoint);
}

/// Called for every step, while the GPU works on later ones: nothing here may take long.
bool LiveTraining::Impl::onStep(const StepReport& report) {
    const double milliseconds = clock_.lap(report.step);
    const int shDegree = trainer_->shDegree();
    changeState([&](LiveState& s) {
        s.last = report;
        s.millisecondsPerStep = milliseconds;
        s.shDegree = shDegree;
        history_.add({.step = report.step, .loss = report.loss, .splats = report.gaussians, .milliseconds = milliseconds});
    });
    if (stages_.due()) noteStages();
    return !commands_.waiting();
}

void LiveTraining::Impl::noteStages() {
    auto stages = stages_.lap(trainer_->costs());
    noteCheckpoint();
    if (!stages.empty()) changeState([&](LiveState& s) { s.stages = std::move(stages); });
}

/// Renders in the memory that steps work in, so that both never stand beside each other.
void LiveTraining::Impl::evaluateNow() {
    const std::vector<Photograph>& views = data_.data().test;
    trainer();
    if (views.empty()) return tell("there are no test views (test_every)");
    setPhase(LivePhase::evaluating);
    trainer_->releaseFrame();
    Renderer renderer(device_, sort_);
    const EvaluatedModel model{trainer_->model(), trainer_->shDegree(), trainer_->settings().background};
    const Evaluation scores = splat::evaluate(renderer, model, views, [&](size_t, const Image8&) {
        if (commands_.stopped()) throw Stopped();
    });
    changeState([&](LiveState& s) { s.evaluations.push_back({trainer_->stepsDone(), scores.psnr, scores.ssim}); });
    rest();
}

void LiveTraining::Impl::saveSplats(const std::filesystem::path& path) {
    if (!trainer_) throw InputError("{}: there are no splats to save", path.string());
    const Gaussians gaussians = trainer_->model().download(device_, trainer_->shDegree());  // of a training that failed, too
    try {
        writePly(path, fromFrame(data_.data().frame, gaussians));
        spdlog::info("step {}: {} splats in {}", trainer_->stepsDone(), gaussians.count(), path.string());
    } catch (const Error& problem) {
        tell(problem.what());  // a path that cannot be written is no reason to end training
    }
}

void LiveTraining::Impl::saveCheckpoint(const std::filesystem::path& path) {
    Checkpoint checkpoint = trainer().checkpoint();
    const TrainingCosts costs = trainer_->costs();
    describeRun(checkpoint, {.version = options_.version,
                             .device = device_.name(),
                             .history = {.trainSeconds = costs.seconds, .totalSeconds = costs.seconds, .resumedFrom = {}},
                             .settings = trainer_->settings(),
                             .data = describeData(data_.data())});
    try {
        if (writer_ && writer_->path() != path) writer_->finish();
        if (!writer_ || writer_->path() != path) writer_.emplace(path);
        writer_->write(std::move(checkpoint), trainer_->stepsDone());
    } catch (const Error& problem) {
        tell(problem.what());
    }
    noteCheckpoint();
}

/// A disk that is full is no reason to end training.
void LiveTraining::Impl::noteCheckpoint() {
    if (!writer_) return;
    try {
        running_ ? writer_->poll() : writer_->finish();
        changeState([&](LiveState& s) { s.checkpointStep = writer_->written(); });
    } catch (const Error& problem) {
        tell(problem.what());
    }
}

LiveState LiveTraining::Impl::state() const {
    const std::scoped_lock lock(stateMutex_);
    LiveState state = state_;
    state.history = history_.points();
    return state;
}

bool LiveTraining::Impl::withModel(const std::function<void(const LiveModel&)>& draw) {
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

LiveTraining::LiveTraining(gpu::Device& device, const primitives::RadixSort& sort, LiveOptions options)
    : impl_(std::make_unique<Impl>(device, sort, std::move(options))) {}

LiveTraining::~LiveTraining() = default;

void LiveTraining::start() {
    impl_->commands_.post([impl = impl_.get()] { impl->start(); });
}
void LiveTraining::pause() {
    impl_->commands_.post([impl = impl_.get()] { impl->pause(); });
}
void LiveTraining::step() {
    impl_->commands_.post([impl = impl_.get()] { impl->step(); });
}
void LiveTraining::reset(const TrainSettings& settings) {
    impl_->commands_.post([impl = impl_.get(), settings] { impl->reset(settings); });
}
void LiveTraining::change(const TrainSettings& settings) {
    impl_->commands_.post([impl = impl_.get(), settings] { impl->change(settings); });
}
void LiveTraining::evaluate() {
    impl_->commands_.post([impl = impl_.get()] { impl->evaluateNow(); });
}
void LiveTraining::saveSplats(const std::filesystem::path& path) {
    impl_->commands_.post([impl = impl_.get(), path] { impl->saveSplats(path); });
}
void LiveTraining::saveCheckpoint(const std::filesystem::path& path) {
    impl_->commands_.post([impl = impl_.get(), path] { impl->saveCheckpoint(path); });
}
LiveState LiveTraining::state() const { return impl_->state(); }
std::vector<LiveView> LiveTraining::views() const { return impl_->data_.views(); }
std::optional<Photograph> LiveTraining::photograph(size_t view) const { return impl_->data_.photograph(view); }
bool LiveTraining::withModel(const std::function<void(const LiveModel&)>& draw) { return impl_->withModel(draw); }

}  // namespace splat
