#include "train/trainer.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <iterator>

#include "core/log.h"
#include "core/threads.h"
#include "gpu/check.h"
#include "train/schedule.h"
#include "train/step_recorder.h"
#include "train/view_order.h"

namespace splat {

namespace {

constexpr size_t kStepsInFlight = 32;  // below the status ring's slots; enough that the GPU never runs dry while the host sleeps

uint32_t grown(uint32_t capacity, uint32_t needed) { return needed <= capacity ? capacity : FrameCapacity::withHeadRoom(needed); }

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
    TrainingCosts costs() const;
    std::vector<Camera> movedCameras() const { return recorder_.movedCameras(); }

    TrainSettings settings_;
    GaussianStore store_;
    uint32_t done_ = 0;
    uint32_t restored_ = 0;  ///< of those, by an earlier run

private:
    struct Pending {
        Work work;
        gpu::Ticket ticket;
    };

    Work following(const Work& work) const;
    bool hasMore(uint32_t untilStep) const { return next_.event != Work::kStep || next_.step < untilStep; }
    void submitNext(uint32_t untilStep);
    void waitForRoom();
    void restoreFrame();
    bool collect(const std::function<bool(const StepReport&)>& onStep);
    void grow(const shared::StepStatus& status);
    void growModel(uint32_t needed);
    void stopGrowing(const gpu::OutOfMemory& problem);

    gpu::Device& device_;
    std::vector<glm::uvec2> sizes_;
    StepRecorder recorder_;
    ViewOrder order_;
    std::deque<Pending> pending_;
    Work next_;            ///< to be submitted
    uint64_t serial_ = 0;  ///< of the first pending submission
    uint32_t limit_;       ///< gaussians
    TrainingCosts costs_;
    double hostMicroseconds_ = 0;
};

Trainer::Impl::Impl(gpu::Device& device, const primitives::RadixSort& sort, const TrainSettings& settings, const Gaussians& start,
                    std::vector<Photograph>& photographs, double sceneExtent)
    : settings_(settings),
      store_(device, GaussianStore::roundedCapacity(start.count()), densifierByName(settings.strategy).statistics),
      device_(device),
      recorder_({device, sort, settings_, sceneExtent}, store_, photographs),
      order_(photographs.size(), settings.seed),
      limit_(settings.maxSplats > 0 ? std::min(settings.maxSplats, FrameCapacity::kMostTrained) : FrameCapacity::kMostTrained) {
    for (const Photograph& p : photographs) sizes_.emplace_back(p.image.width, p.image.height);
    store_.model.upload(device, start);
    store_.model.antialiased = settings.antialiased;
    recorder_.setLimit(limit_);
    const auto gaussians = static_cast<uint32_t>(start.count());
    const uint32_t tiles = recorder_.capacity().tiles();
    recorder_.makeFrame(4 * gaussians + 32 * tiles, gaussians / 8 + 9 * tiles);
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
    for (; works.size() < targets.stepsAtOnce() && hasMore(untilStep); next_ = following(next_)) {
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
    device_.wait(pending_[pending_.size() / 2].ticket);
}

/// Looks at what is done; false when a report was answered so.
bool Trainer::Impl::collect(const std::function<bool(const StepReport&)>& onStep) {
    bool goOn = true;
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
        if (work.event != Work::kStep) continue;
        const glm::uvec2 size = sizes_[order_[work.step]];
        const double loss = lossValue(status.loss, size.x, size.y, static_cast<float>(settings_.ssimLambda)).total;
        goOn = onStep({status.step, loss, status.gaussians, status.visible, status.instances}) && goOn;
    }
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
        store_.resize(had.gaussians);
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
        store_.resize(GaussianStore::roundedCapacity(wanted));
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
    restoreFrame();
    recorder_.recordAll();
    const auto start = std::chrono::steady_clock::now();
    bool goOn = true;
    // The events of a step belong to it: a stop comes after them.
    const auto until = [&] { return goOn ? untilStep : next_.step; };
    while (hasMore(until()) || !pending_.empty()) {
        if (hasMore(until()) && pending_.size() < kStepsInFlight) {
            submitNext(until());
        } else {
            waitForRoom();
        }
        const double before = threadMicroseconds();
        goOn = collect(onStep) && goOn;
        hostMicroseconds_ += threadMicroseconds() - before;
    }
    costs_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The GPU must be done with the buffers before they go. A device that is lost will not use them either.
Trainer::Impl::~Impl() {
    try {
        if (!pending_.empty()) device_.wait(pending_.back().ticket);
    } catch (const Error& e) {
        spdlog::debug("while leaving training: {}", e.what());
    }
}

std::filesystem::path Trainer::Impl::captureStep(gpu::Capture& capture) {
    CHECK(pending_.empty() && next_.event == Work::kStep && next_.step < settings_.steps, "step {} of {}, {} pending", next_.step,
          settings_.steps, pending_.size());
    const uint32_t step = next_.step;
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
    store_.load(checkpoint, checkpoint.value<uint32_t>("gaussians"));
    recorder_.load(checkpoint);
    recorder_.makeFrame(had.instances, had.buckets);
    recorder_.setStep(step);
    next_ = {step};
    done_ = restored_ = step;
}

TrainingCosts Trainer::Impl::costs() const {
    TrainingCosts costs = costs_;
    costs.steps = done_;
    const double steps = std::max(1u, done_ - restored_);
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
uint32_t Trainer::stepsDone() const { return impl_->done_; }
int Trainer::shDegree() const { return static_cast<int>(shDegreeAt(impl_->settings_, impl_->done_)); }
const GaussianModel& Trainer::model() const { return impl_->store_.model; }
std::vector<Camera> Trainer::movedCameras() const { return impl_->movedCameras(); }
TrainingCosts Trainer::costs() const { return impl_->costs(); }

}  // namespace splat
