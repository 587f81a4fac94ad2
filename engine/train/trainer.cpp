#include "train/trainer.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <iterator>

#include "core/log.h"
#include "core/settings.h"
#include "core/threads.h"
#include "gpu/check.h"
#include "train/divergence.h"
#include "train/queue_pace.h"
#include "train/schedule.h"
#include "train/step_recorder.h"
#include "train/view_order.h"

namespace splat {

namespace {

constexpr size_t kStepsInFlight = 32;  // below the status ring's slots; enough that the GPU never runs dry while the host sleeps

uint32_t grown(uint32_t capacity, uint32_t needed) { return needed <= capacity ? capacity : FrameCapacity::withHeadRoom(needed); }

uint32_t limitOf(const TrainSettings& settings) {
    return settings.maxSplats > 0 ? std::min(settings.maxSplats, FrameCapacity::kMostTrained) : FrameCapacity::kMostTrained;
}

double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

uint64_t newGeneration() {
    static std::atomic<uint64_t> last = 0;
    return ++last;
}

/// Throws InputError naming the first setting that only a new start can change.
void refuseRestart(TrainSettings from, TrainSettings to) {
    const auto before = settingFields(from), after = settingFields(to);
    for (size_t i = 0; i < before.size(); ++i) {
        const std::string found = settingText(after[i]), expected = settingText(before[i]);
        if (!before[i].about.restart || found == expected) continue;
        throw InputError("{} is '{}', expected '{}' as at the start: only a new start can change it", before[i].name, found, expected);
    }
}

/// Something submitted, or to be submitted next: a step, or one of the events that follow it.
struct Work {
    static constexpr int kStep = -1;
    uint32_t step = 0;  ///< counted from 0
    int event = kStep;
};

}  // namespace

class Trainer::Impl {
public:
    Impl(gpu::Device& device, const primitives::RadixSort& sort, const TrainSettings& settings, const Gaussians& start,
         std::vector<Photograph>& photographs, double sceneExtent);
    ~Impl();

    void run(uint32_t untilStep, const std::function<bool(const StepReport&)>& onStep);
    std::filesystem::path captureStep(gpu::Capture& capture);
    void releaseFrame();
    Checkpoint checkpoint();
    void restore(const Checkpoint& checkpoint);
    void change(const TrainSettings& settings);
    TrainingCosts costs() const;
    std::vector<Camera> movedCameras() const { return recorder_.movedCameras(); }

    TrainSettings settings_;
    GaussianStore store_;
    FairMutex modelLock_;
    uint64_t generation_ = newGeneration();
    QueuePace pace_;
    uint32_t done_ = 0;
    uint32_t restored_ = 0;  ///< of those, by an earlier run

private:
    struct Pending {
        Work work;
        gpu::Ticket ticket;
    };

    Work following(const Work& work) const;
    void replaceModel(const std::function<void()>& work);
    uint32_t startBuckets() const;
    bool hasMore(uint32_t untilStep) const { return next_.event != Work::kStep || next_.step < untilStep; }
    void submitNext(uint32_t untilStep);
    void waitForRoom();
    void restoreFrame();
    bool collect(const std::function<bool(const StepReport&)>& onStep);
    void grow(const shared::StepStatus& status);
    void growModel(uint32_t needed);
    void stopGrowing(const gpu::OutOfMemory& problem);
    void refuseDiverged() const;

    gpu::Device& device_;
    std::vector<glm::uvec2> sizes_;
    StepRecorder recorder_;
    ViewOrder order_;
    std::deque<Pending> pending_;
    Work next_;            ///< to be submitted
    uint64_t serial_ = 0;  ///< of the first pending submission
    uint32_t limit_;       ///< gaussians
    TrainingCosts costs_;
    double firstSeconds_ = 0;  ///< of costs_.seconds, up to the first report
    uint32_t firstSteps_ = 0;  ///< done at the first report, restored ones excepted; 0: none has come
    double hostMicroseconds_ = 0;
    std::optional<Diverged> diverged_;  ///< by the first step that has
};

Trainer::Impl::Impl(gpu::Device& device, const primitives::RadixSort& sort, const TrainSettings& settings, const Gaussians& start,
                    std::vector<Photograph>& photographs, double sceneExtent)
    : settings_(settings),
      store_(device, GaussianStore::roundedCapacity(start.count()), densifierByName(settings.strategy).statistics),
      device_(device),
      recorder_({device, sort, settings_, sceneExtent}, store_, photographs),
      order_(photographs.size(), settings.seed),
      limit_(limitOf(settings)) {
    for (const Photograph& p : photographs) sizes_.emplace_back(p.image.width, p.image.height);
    store_.model.upload(device, start);
    store_.model.antialiased = settings.antialiased;
    recorder_.setLimit(limit_);
    recorder_.makeFrame(4 * static_cast<uint32_t>(start.count()) + 32 * recorder_.capacity().tiles(), startBuckets());
}

/// Room for checkpoints where nothing is known yet.
uint32_t Trainer::Impl::startBuckets() const { return store_.model.capacity / 8 + 9 * recorder_.capacity().tiles(); }

/// Does what frees buffers of the model or changes what they mean, when nobody records or runs anything that reads them.
void Trainer::Impl::replaceModel(const std::function<void()>& work) {
    const std::scoped_lock lock(modelLock_);
    device_.waitForAll();
    generation_ = newGeneration();
    work();
}

/// The events of a step follow it in their order.
Work Trainer::Impl::following(const Work& work) const {
    const auto& events = recorder_.events();
    for (auto e = static_cast<size_t>(work.event + 1); e < events.size(); ++e) {
        if (events[e].due(work.step + 1)) return {work.step, static_cast<int>(e)};
    }
    return {work.step + 1, Work::kStep};
}

/// Submits the next few steps and their events as one. A submission waits for its last photograph, and so for all.
void Trainer::Impl::submitNext(uint32_t untilStep) {
    const double before = threadMicroseconds();
    const uint64_t waits = device_.waits();
    Targets& targets = recorder_.targets();
    std::vector<const gpu::Commands*> recordings;
    std::vector<Work> works;
    gpu::Arrival photographs;
    const size_t atOnce = pace_.atOnce(targets.stepsAtOnce());
    for (; works.size() < atOnce && hasMore(untilStep); next_ = following(next_)) {
        works.push_back(next_);
        const size_t view = order_[next_.step];
        const bool isStep = next_.event == Work::kStep;
        recordings.push_back(isStep ? &recorder_.step(view) : &recorder_.event(static_cast<size_t>(next_.event)));
        if (isStep) photographs = targets.fetch(next_.step, view);
    }
    const gpu::Ticket ticket = device_.submit(recordings, photographs);
    for (const Work& work : works) {
        if (work.event == Work::kStep) targets.release(work.step, ticket);
        pending_.push_back({work, ticket});
    }
    costs_.waitsInSteps += device_.waits() - waits;
    hostMicroseconds_ += threadMicroseconds() - before;
}

/// The host is a queue ahead of the GPU: it sleeps until half of the queue is done.
void Trainer::Impl::waitForRoom() {
    ++costs_.pacingWaits;
    device_.wait(pending_[(pending_.size() - 1) / 2].ticket);
}

/// Looks at what is done; false when a report was answered so.
bool Trainer::Impl::collect(const std::function<bool(const StepReport&)>& onStep) {
    bool goOn = true;
    const size_t before = pending_.size();
    while (!pending_.empty() && device_.done(pending_.front().ticket)) {
        const shared::StepStatus status = recorder_.status(serial_);
        if (status.halted) {
            grow(status);
            return goOn;
        }
        const Work work = pending_.front().work;
        CHECK(status.step == work.step + 1, "the GPU did step {}, expected {}", status.step, work.step + 1);
        pending_.pop_front();
        ++serial_;
        done_ = status.step;
        if (work.event != Work::kStep || diverged_) continue;
        const glm::uvec2 size = sizes_[order_[work.step]];
        const double loss = lossValue(status.loss, size.x, size.y, static_cast<float>(settings_.ssimLambda)).total;
        const StepReport report{status.step, loss, status.gaussians, status.visible, status.instances};
        if (const auto problem = divergenceOf(report, status.unusable)) diverged_.emplace(*problem);
        goOn = !diverged_ && onStep(report) && goOn;
    }
    pace_.done(before - pending_.size(), QueuePace::Clock::now());
    return goOn;
}

/// A capacity overflowed, and everything in the queue since was a no-op: makes room and goes back to what was not done first.
void Trainer::Impl::grow(const shared::StepStatus& status) {
    const auto start = std::chrono::steady_clock::now();
    costs_.repeatedSteps += pending_.size();
    next_ = pending_.front().work;
    device_.wait(pending_.back().ticket);
    serial_ += pending_.size();
    pending_.clear();
    const FrameCapacity had = recorder_.capacity();
    const uint32_t instances = grown(had.instances, status.instancesNeeded);
    const uint32_t buckets = grown(had.buckets, status.bucketsNeeded);
    recorder_.releaseFrame();
    if (status.gaussiansNeeded > store_.model.capacity) growModel(status.gaussiansNeeded);
    try {
        recorder_.makeFrame(instances, buckets);
    } catch (const gpu::OutOfMemory& problem) {
        if (store_.model.capacity == had.gaussians) throw;
        recorder_.releaseFrame();
        replaceModel([&] { store_.resize(had.gaussians); });
        stopGrowing(problem);
        recorder_.makeFrame(instances, buckets);
    }
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    spdlog::debug("step {}: made room in {:.1f} ms", next_.step, took.count());
}

/// Room for what a refinement asked for, and some more. The last step to the limit is a long one: while an attribute is moved it is there
/// twice, and that should not be the most memory of all. Without memory for it the model stays as large as it is.
void Trainer::Impl::growModel(uint32_t needed) {
    constexpr double kHeadRoom = 1.15, kLastStep = 1.5;
    uint64_t wanted = static_cast<uint64_t>(kHeadRoom * needed) + 16'384;
    if (kLastStep * needed >= limit_) wanted = std::max(needed, limit_);
    try {
        replaceModel([&] { store_.resize(GaussianStore::roundedCapacity(wanted)); });
    } catch (const gpu::OutOfMemory& problem) {
        stopGrowing(problem);
    }
}

void Trainer::Impl::stopGrowing(const gpu::OutOfMemory& problem) {
    limit_ = store_.model.capacity;
    recorder_.setLimit(limit_);
    spdlog::warn("no device memory for more than {} gaussians: training goes on with at most so many ({})", limit_, problem.what());
}

void Trainer::Impl::releaseFrame() {
    CHECK(pending_.empty(), "{} submissions are pending", pending_.size());
    recorder_.releaseFrame();
}

void Trainer::Impl::restoreFrame() {
    const FrameCapacity had = recorder_.capacity();
    if (!recorder_.hasFrame()) recorder_.makeFrame(had.instances, had.buckets);
}

void Trainer::Impl::run(uint32_t untilStep, const std::function<bool(const StepReport&)>& onStep) {
    CHECK(untilStep <= settings_.steps, "step {} of {}", untilStep, settings_.steps);
    refuseDiverged();
    restoreFrame();
    recorder_.recordAll();
    const auto start = std::chrono::steady_clock::now();
    pace_.begin(start);
    bool goOn = true;
    // The events of a step belong to it: a stop comes after them.
    const auto until = [&] { return goOn ? untilStep : next_.step; };
    while (hasMore(until()) || !pending_.empty()) {
        if (recorder_.outdated() && pending_.empty()) recorder_.recordAll();
        if (recorder_.outdated()) {
            device_.wait(pending_.back().ticket);
        } else if (hasMore(until()) && pending_.size() < pace_.room(kStepsInFlight)) {
            submitNext(until());
        } else {
            waitForRoom();
        }
        const double before = threadMicroseconds();
        goOn = collect(onStep) && goOn;
        hostMicroseconds_ += threadMicroseconds() - before;
        if (firstSteps_ == 0 && done_ > restored_) {
            firstSteps_ = done_ - restored_;
            firstSeconds_ = costs_.seconds + secondsSince(start);
        }
    }
    costs_.seconds += secondsSince(start);
    refuseDiverged();
}

void Trainer::Impl::refuseDiverged() const {
    if (diverged_) throw Diverged(*diverged_);
}

/// The GPU must be done with the buffers before they go, in others' pictures too. A device that is lost will not use them either.
Trainer::Impl::~Impl() {
    try {
        device_.waitForAll();
    } catch (const Error& e) {
        spdlog::debug("while leaving training: {}", e.what());
    }
}

std::filesystem::path Trainer::Impl::captureStep(gpu::Capture& capture) {
    CHECK(pending_.empty() && next_.event == Work::kStep && next_.step < settings_.steps, "step {} of {}, {} pending", next_.step,
          settings_.steps, pending_.size());
    const uint32_t step = next_.step;
    refuseDiverged();
    restoreFrame();
    capture.begin(fmt::format("training step {}", step + 1));
    while (next_.step == step || !pending_.empty()) {  // its events too, and again if a capacity overflowed
        if (hasMore(step + 1)) submitNext(step + 1);
        device_.wait(pending_.back().ticket);
        collect([](const StepReport&) { return true; });
    }
    return capture.end();
}

Checkpoint Trainer::Impl::checkpoint() {
    CHECK(pending_.empty() && next_.event == Work::kStep, "{} submissions are pending", pending_.size());
    refuseDiverged();
    Checkpoint checkpoint;
    checkpoint.header["step"] = done_;
    checkpoint.header["gaussians"] = store_.count();
    checkpoint.sections = store_.save();
    std::ranges::move(recorder_.save(), std::back_inserter(checkpoint.sections));
    return checkpoint;
}

void Trainer::Impl::restore(const Checkpoint& checkpoint) {
    const auto step = checkpoint.value<uint32_t>("step");
    if (step > settings_.steps)
        throw InputError("{}: step is {}, expected at most {} (steps)", checkpoint.path.string(), step, settings_.steps);
    const FrameCapacity had = recorder_.capacity();
    recorder_.releaseFrame();
    replaceModel([&] { store_.load(checkpoint, checkpoint.value<uint32_t>("gaussians")); });
    recorder_.load(checkpoint);
    recorder_.makeFrame(had.instances, had.buckets);
    recorder_.setStep(step);
    next_ = {step};
    done_ = restored_ = step;
    diverged_.reset();
    firstSteps_ = 0;
}

void Trainer::Impl::change(const TrainSettings& settings) {
    CHECK(pending_.empty() && next_.event == Work::kStep, "{} submissions are pending", pending_.size());
    refuseRestart(settings_, settings);
    checkTogether(settings);
    const bool statistics = densifierByName(settings.strategy).statistics;
    if (settings.steps < done_) throw InputError("steps is {}, expected at least {}, which are done", settings.steps, done_);
    const FrameCapacity had = recorder_.capacity();
    recorder_.change(settings);
    settings_ = settings;
    if (statistics != store_.hasStatistics || settings.antialiased != store_.model.antialiased) {
        replaceModel([&] {
            store_.keepStatistics(statistics);
            store_.model.antialiased = settings.antialiased;
        });
    }
    limit_ = limitOf(settings);
    recorder_.setLimit(limit_);
    recorder_.makeFrame(had.instances, std::max(had.buckets, startBuckets()));
}

TrainingCosts Trainer::Impl::costs() const {
    TrainingCosts costs = costs_;
    costs.steps = done_;
    costs.stepsHere = done_ - restored_;
    const uint32_t later = costs.stepsHere - firstSteps_;
    if (firstSteps_ > 0 && later > 0) costs.millisecondsPerStep = 1000 * (costs.seconds - firstSeconds_) / later;
    const double steps = std::max(1u, costs.stepsHere);
    costs.hostMicrosecondsPerStep = hostMicroseconds_ / steps;
    costs.stages = recorder_.stageMilliseconds();
    for (auto& [stage, milliseconds] : costs.stages) milliseconds /= steps;
    return costs;
}

Trainer::Trainer(gpu::Device& device, const primitives::RadixSort& sort, const TrainSettings& settings, const Gaussians& start,
                 std::vector<Photograph> photographs, double sceneExtent) {
    CHECK(start.count() > 0 && !photographs.empty(), "{} gaussians, {} photographs", start.count(), photographs.size());
    impl_ = std::make_unique<Impl>(device, sort, settings, start, photographs, sceneExtent);
}

Trainer::~Trainer() = default;

void Trainer::run(uint32_t untilStep, const std::function<bool(const StepReport&)>& onStep) { impl_->run(untilStep, onStep); }
void Trainer::releaseFrame() { impl_->releaseFrame(); }
std::filesystem::path Trainer::captureStep(gpu::Capture& capture) { return impl_->captureStep(capture); }
Checkpoint Trainer::checkpoint() { return impl_->checkpoint(); }
void Trainer::restore(const Checkpoint& checkpoint) { impl_->restore(checkpoint); }
void Trainer::change(const TrainSettings& settings) { impl_->change(settings); }
const TrainSettings& Trainer::settings() const { return impl_->settings_; }
void Trainer::setQueueAhead(double milliseconds) { impl_->pace_.setAhead(milliseconds); }
FairMutex& Trainer::modelLock() { return impl_->modelLock_; }
uint64_t Trainer::modelGeneration() const { return impl_->generation_; }
const gpu::Buffer& Trainer::growth() const { return impl_->store_.growth; }
uint32_t Trainer::stepsDone() const { return impl_->done_; }
int Trainer::shDegree() const { return static_cast<int>(shDegreeAt(impl_->settings_, impl_->done_)); }
const GaussianModel& Trainer::model() const { return impl_->store_.model; }
std::vector<Camera> Trainer::movedCameras() const { return impl_->movedCameras(); }
TrainingCosts Trainer::costs() const { return impl_->costs(); }

}  // namespace splat
