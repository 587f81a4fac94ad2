#include <splatwright/train/step/trainer.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include <splatwright/core/log.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/checkpoint/kept_rows.h>
#include <splatwright/train/step/check_training.h>
#include <splatwright/train/step/cost_meter.h>
#include <splatwright/train/step/growing_buffers.h>
#include <splatwright/train/step/model_guard.h>
#include <splatwright/train/step/schedule.h>
#include <splatwright/train/step/state_copy.h>
#include <splatwright/train/step/step_queue.h>
#include <splatwright/train/step/step_recorder.h>
#include <splatwright/train/step/step_reports.h>
#include <splatwright/train/step/training_costs.h>
#include <splatwright/train/step/withheld_views.h>

namespace splat {

namespace {

bool keepsStatistics(const TrainSettings& settings) { return densifierByName(settings.strategy).statistics(settings) != Statistics::none; }

ModelKind kindOf(const TrainSettings& settings, const Photograph& first) {
    return trainedKind(settings).model(settings, {first.camera.width, first.camera.height});
}

uint32_t reservedFor(const TrainSettings& settings, const ModelKind& kind) {
    return densifierByName(settings.strategy).reserves(settings, kind.size);
}

bool countsUnseen(const TrainSettings& settings) { return settings.fadeSteps > 0; }

ViewOrder orderOf(const TrainSettings& settings, size_t views) {
    return {views, settings.seed, withheldViews(settings, views), settings.densifyUntil};
}

void checkInputs(const Gaussians& start, std::span<const Photograph> views, const TrainSettings& settings) {
    SPLAT_CHECK(start.count() > 0 && !views.empty(), "{} gaussians, {} views", start.count(), views.size());
    checkCount(start.count(), settings);
}

}  // namespace

/// The training loop. The queue submits, the buffers grow, the meter measures; this decides which of them is next.
class Trainer::Impl {
public:
    Impl(gpu::Device& device, const primitives::RadixSort& sort, const TrainSettings& settings, const Gaussians& start,
         std::span<const Photograph> views, Targets& targets, double sceneExtent);
    ~Impl();

    void run(uint32_t untilStep, const StepReports::OnStep& onStep);
    std::filesystem::path captureStep(gpu::Capture& capture);
    void releaseFrame();
    Checkpoint checkpoint();
    void copyState(StateCopy& copy);
    void scaleRates(double scale);
    double rateScale() const { return recorder_.rateScale(); }
    const primitives::CdfTable* drawnFrom() const;
    void restore(const Checkpoint& checkpoint);
    void keep(std::span<const uint8_t> kept);
    void change(const TrainSettings& settings);
    TrainingCosts costs() const;
    std::vector<Camera> movedCameras() const { return recorder_.movedCameras(); }
    void setQueueAhead(double milliseconds) { queue_.setAhead(milliseconds); }

    TrainSettings settings_;
    GaussianStore store_;
    ModelGuard guard_;
    uint32_t done_ = 0;  ///< steps, also those before a restore

private:
    void submitOrWait(uint32_t untilStep);
    void submit(uint32_t untilStep);
    bool collect(const StepReports::OnStep& onStep);
    void growAndReplay(const shared::StepStatus& overflow);
    Checkpoint smallState() const;
    void checkBetweenSteps() const;

    gpu::Device& device_;
    StepRecorder recorder_;
    GrowingBuffers buffers_;
    AccumulationTrials trials_;
    const size_t views_;
    StepQueue queue_;
    StepReports reports_;
    CostMeter costs_;
};

const primitives::CdfTable* Trainer::Impl::drawnFrom() const {
    const auto& events = recorder_.events();
    const auto found = std::ranges::find_if(events, [](const RefineEvent& event) { return event.drawnFrom != nullptr; });
    return found != events.end() ? found->drawnFrom() : nullptr;
}

Trainer::Impl::Impl(gpu::Device& device, const primitives::RadixSort& sort, const TrainSettings& settings, const Gaussians& start,
                    std::span<const Photograph> views, Targets& targets, double sceneExtent)
    : settings_(settings),
      store_(device, GaussianStore::roundedCapacity(start.count()), keepsStatistics(settings)),
      guard_(device),
      device_(device),
      recorder_({device, sort, settings_, sceneExtent}, store_, views, targets),
      buffers_(device, store_, recorder_, guard_),
      trials_(device, recorder_),
      views_(views.size()),
      queue_(device, recorder_, trials_, orderOf(settings, views.size())),
      reports_(recorder_),
      costs_(device) {
    store_.model.kind = kindOf(settings, views[0]);
    store_.model.upload(device, start);
    store_.model.antialiased = settings.antialiased;
    store_.countUnseen(countsUnseen(settings));
    keepForParts(store_, settings);
    buffers_.setLimit(settings);
    buffers_.reserve(reservedFor(settings, store_.model.kind));
    buffers_.makeFirstFrame(static_cast<uint32_t>(start.count()));
    recorder_.startParts();
    trials_.restart(comparedMethods(settings));
}

/// Buffers may only be destroyed when the GPU no longer uses them, in frames of other threads too; a lost device no longer does.
Trainer::Impl::~Impl() {
    try {
        device_.waitForAll();
    } catch (const Error& e) {
        spdlog::debug("while leaving training: {}", e.what());
    }
}

void Trainer::Impl::run(uint32_t untilStep, const StepReports::OnStep& onStep) {
    SPLAT_CHECK(untilStep <= settings_.steps, "step {} of {}", untilStep, settings_.steps);
    reports_.refuseDiverged();
    buffers_.restoreFrame();
    recorder_.prepare(queue_.nextImage());
    costs_.beginRun();
    queue_.begin();
    bool goOn = true;
    // The events of a step belong to it: a stop comes after them.
    const auto until = [&] { return goOn ? untilStep : queue_.next().step; };
    while (queue_.hasMore(until()) || !queue_.empty()) {
        submitOrWait(until());
        costs_.measureHost([&] { goOn = collect(onStep) && goOn; });
        costs_.stepsDone(done_);
    }
    costs_.endRun();
    if (done_ == settings_.steps) store_.keepAverages(false);  // they have become the parameters
    reports_.refuseDiverged();
}

/// Kernels that were replaced must be recorded again, with nothing pending.
void Trainer::Impl::submitOrWait(uint32_t untilStep) {
    if (recorder_.outdated() && queue_.empty()) recorder_.prepare(queue_.nextImage());
    if (recorder_.outdated()) {
        queue_.waitForAll();
    } else if (queue_.hasMore(untilStep) && !queue_.full()) {
        submit(untilStep);
    } else {
        costs_.countPacingWait();
        queue_.waitForHalf();
    }
}

void Trainer::Impl::submit(uint32_t untilStep) {
    costs_.measureSubmission([&] { queue_.submitNext(untilStep); });
}

/// Collects what is done; returns false to end the run.
bool Trainer::Impl::collect(const StepReports::OnStep& onStep) {
    bool goOn = true;
    const auto overflow = queue_.collect([&](const FinishedWork& finished) {
        done_ = finished.status.step;
        goOn = reports_.finish(finished, onStep) && goOn;
    });
    if (overflow) growAndReplay(*overflow);
    return goOn;
}

/// A step overflowed a capacity, and the GPU has skipped all works since.
void Trainer::Impl::growAndReplay(const shared::StepStatus& overflow) {
    const auto start = std::chrono::steady_clock::now();
    costs_.countReplayed(queue_.rewind());
    buffers_.grow({overflow.gaussiansNeeded, overflow.instancesNeeded, overflow.bucketsNeeded});
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    spdlog::debug("step {}: grew buffers in {:.1f} ms", queue_.next().step, took.count());
}

/// All submitted steps must be collected, with their events.
void Trainer::Impl::checkBetweenSteps() const {
    SPLAT_CHECK(queue_.empty() && queue_.next().isStep(), "{} submissions are pending", queue_.pending());
}

void Trainer::Impl::releaseFrame() {
    SPLAT_CHECK(queue_.empty(), "{} submissions are pending", queue_.pending());
    recorder_.releaseFrame();
}

std::filesystem::path Trainer::Impl::captureStep(gpu::Capture& capture) {
    checkBetweenSteps();
    const uint32_t step = queue_.next().step;
    SPLAT_CHECK(step < settings_.steps, "step {} of {}", step, settings_.steps);
    reports_.refuseDiverged();
    buffers_.restoreFrame();
    capture.begin(fmt::format("training step {}", step + 1));
    while (queue_.next().step == step || !queue_.empty()) {  // its events too, and again if a capacity overflowed
        if (queue_.hasMore(step + 1)) submit(step + 1);
        queue_.waitForAll();
        collect([](const StepReport&) { return true; });
    }
    return capture.end();
}

Checkpoint Trainer::Impl::checkpoint() {
    checkBetweenSteps();
    reports_.refuseDiverged();
    Checkpoint checkpoint = smallState();
    std::vector<CheckpointSection> views = std::exchange(checkpoint.sections, store_.save());
    std::ranges::move(views, std::back_inserter(checkpoint.sections));
    return checkpoint;
}

/// A checkpoint without the store's sections.
Checkpoint Trainer::Impl::smallState() const {
    Checkpoint checkpoint;
    checkpoint.header["step"] = done_;
    checkpoint.header["gaussians"] = store_.count();
    checkpoint.header["rate_scale"] = recorder_.rateScale();
    checkpoint.sections = recorder_.save();
    return checkpoint;
}

void Trainer::Impl::copyState(StateCopy& copy) {
    checkBetweenSteps();
    reports_.refuseDiverged();
    copy.take(store_, smallState());
}

void Trainer::Impl::scaleRates(double scale) {
    checkBetweenSteps();
    recorder_.scaleRates(scale);
}

void Trainer::Impl::restore(const Checkpoint& checkpoint) {
    const auto step = checkpoint.value<uint32_t>("step");
    if (step > settings_.steps)
        throw InputError("{}: step is {}, expected at most {} (steps)", checkpoint.path.string(), step, settings_.steps);
    const auto gaussians = checkpoint.value<uint32_t>("gaussians");
    checkCount(gaussians, settings_);
    recorder_.releaseFrame();
    guard_.replace([&] { store_.load(checkpoint, gaussians); });
    recorder_.load(checkpoint);
    // Checkpoints of commit caf168c and before have no scale.
    recorder_.scaleRates(checkpoint.header.contains("rate_scale") ? checkpoint.value<double>("rate_scale") : 1);
    buffers_.restoreFrame();
    recorder_.setStep(step);
    trials_.restart(comparedMethods(settings_));
    trials_.clearCosts();
    queue_.restartAt(step);
    costs_.restart(step);
    done_ = step;
    reports_.restart();
}

/// By way of the host, like a run that is resumed: nobody does this often.
void Trainer::Impl::keep(std::span<const uint8_t> kept) {
    if (std::ranges::none_of(kept, [](uint8_t flag) { return flag != 0; })) throw InputError("no Gaussians would be left to train");
    Checkpoint state = checkpoint();
    std::vector<std::string_view> perGaussian;
    const std::vector<StoredBuffer> buffers = store_.buffers();
    for (const StoredBuffer& buffer : buffers) perGaussian.push_back(buffer.name);
    keepRows(state, perGaussian, kept);
    restore(state);
}

void Trainer::Impl::change(const TrainSettings& settings) {
    checkBetweenSteps();
    checkChange(settings_, settings, store_.model.kind, done_);
    if (settings.maxSplats != settings_.maxSplats) checkCount(store_.count(), settings);
    const bool statistics = keepsStatistics(settings);
    const FrameCapacity had = recorder_.capacity();
    recorder_.change(settings);
    trials_.restart(comparedMethods(settings));
    if (statistics != store_.hasStatistics || !keepTheSame(settings, settings_) || settings.antialiased != store_.model.antialiased ||
        countsUnseen(settings) != store_.countsUnseen) {
        guard_.replace([&] {
            store_.countUnseen(countsUnseen(settings));
            store_.keepStatistics(statistics);
            store_.model.antialiased = settings.antialiased;
            keepForParts(store_, settings);
        });
    }
    settings_ = settings;
    queue_.setOrder(orderOf(settings, views_));
    buffers_.setLimit(settings);
    buffers_.reserve(reservedFor(settings, store_.model.kind));
    buffers_.makeFrameAfterChange(had);
    recorder_.startParts();
}

TrainingCosts Trainer::Impl::costs() const {
    TrainingCosts costs = costs_.costs(done_);
    costs.stages = recorder_.stageCosts(costs.stepsHere);
    if (settings_.accumulate == kAutomatic) costs.stages.push_back({"compare accumulation", trials_.milliseconds(), costs.stepsHere});
    costs.accumulations = trials_.decisions();
    return costs;
}

Trainer::Trainer(gpu::Device& device, const primitives::RadixSort& sort, const TrainSettings& settings, const Gaussians& start,
                 std::span<const Photograph> views, Targets& targets, double sceneExtent) {
    checkInputs(start, views, settings);
    impl_ = std::make_unique<Impl>(device, sort, settings, start, views, targets, sceneExtent);
}

Trainer::Trainer(gpu::Device& device, const primitives::RadixSort& sort, const TrainSettings& settings, const Gaussians& start,
                 std::vector<Photograph> photographs, double sceneExtent) {
    checkInputs(start, photographs, settings);
    ownTargets_ = std::make_unique<Targets>(device, photographs, uint64_t{settings.imageMemory} << 20u, levelsOf(settings));
    impl_ = std::make_unique<Impl>(device, sort, settings, start, photographs, *ownTargets_, sceneExtent);
}

Trainer::~Trainer() = default;

void Trainer::run(uint32_t untilStep, const std::function<bool(const StepReport&)>& onStep) { impl_->run(untilStep, onStep); }
void Trainer::releaseFrame() { impl_->releaseFrame(); }
std::filesystem::path Trainer::captureStep(gpu::Capture& capture) { return impl_->captureStep(capture); }
Checkpoint Trainer::checkpoint() { return impl_->checkpoint(); }
void Trainer::copyState(StateCopy& copy) { impl_->copyState(copy); }
void Trainer::scaleRates(double scale) { impl_->scaleRates(scale); }
double Trainer::rateScale() const { return impl_->rateScale(); }
void Trainer::keep(std::span<const uint8_t> kept) { impl_->keep(kept); }
void Trainer::restore(const Checkpoint& checkpoint) { impl_->restore(checkpoint); }
void Trainer::change(const TrainSettings& settings) { impl_->change(settings); }
const TrainSettings& Trainer::settings() const { return impl_->settings_; }
void Trainer::setQueueAhead(double milliseconds) { impl_->setQueueAhead(milliseconds); }
FairMutex& Trainer::modelLock() { return impl_->guard_.mutex(); }
uint64_t Trainer::modelGeneration() const { return impl_->guard_.generation(); }
const gpu::Buffer& Trainer::densifyStatistics() const { return impl_->store_.densifyStatistics.only(); }
const primitives::CdfTable* Trainer::drawnFrom() const { return impl_->drawnFrom(); }
uint32_t Trainer::stepsDone() const { return impl_->done_; }
int Trainer::shDegree() const { return static_cast<int>(shDegreeAt(impl_->settings_, impl_->done_)); }
uint32_t Trainer::gaussians() const { return impl_->store_.count(); }
const GaussianModel& Trainer::model() const { return impl_->store_.model; }
std::vector<Camera> Trainer::movedCameras() const { return impl_->movedCameras(); }
TrainingCosts Trainer::costs() const { return impl_->costs(); }

}  // namespace splat
