#include "train/trainer.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <deque>
#include <optional>

#include "core/log.h"
#include "kernels/begin_step.h"
#include "kernels/end_step.h"
#include "train/loss.h"
#include "train/optimizer.h"
#include "train/schedule.h"
#include "train/targets.h"
#include "train/view_order.h"

namespace splat {

namespace {

constexpr uint32_t kStatusSlots = 64;
constexpr uint32_t kMaxStages = 32;    // shaders/optimize/end_step.slang
constexpr size_t kStepsInFlight = 32;  // below kStatusSlots; enough that the GPU never runs dry while the host sleeps
constexpr double kGrowth = 1.5;
static_assert(sizeof(shared::FrameParameters) == 12 * sizeof(uint32_t));  // shaders/optimize/begin_step.slang

/// CPU time of this thread, microseconds.
double threadMicroseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

FrameCapacity startCapacity(size_t gaussians, const std::vector<Photograph>& photographs) {
    FrameCapacity c{.gaussians = static_cast<uint32_t>(gaussians)};
    for (const Photograph& p : photographs) {
        c.width = std::max(c.width, static_cast<uint32_t>(p.image.width));
        c.height = std::max(c.height, static_cast<uint32_t>(p.image.height));
    }
    c.instances = 4 * c.gaussians + 32 * c.tiles();
    c.buckets = c.instances / 32 + 8 * c.tiles();
    return c;
}

uint32_t grown(uint32_t capacity, uint32_t needed) {
    return needed <= capacity ? capacity : static_cast<uint32_t>(std::min(kGrowth * needed, 4294967295.0));
}

gpu::Buffer uploadViews(gpu::Device& device, const std::vector<Photograph>& photographs) {
    std::vector<shared::ViewParameters> views;
    for (const Photograph& p : photographs) views.push_back(viewParameters(p.camera));
    gpu::Buffer buffer = device.buffer<shared::ViewParameters>("views", views.size());
    device.upload(buffer, views);
    return buffer;
}

}  // namespace

class Trainer::Impl {
public:
    Impl(gpu::Device& device, const primitives::RadixSort& sort, const TrainSettings& settings, const Gaussians& start,
         const std::vector<Photograph>& photographs, double sceneExtent);
    ~Impl();

    void run(uint32_t untilStep, const std::function<bool(const StepReport&)>& onStep);
    std::filesystem::path captureStep(gpu::Capture& capture);
    TrainingCosts costs();

    TrainSettings settings_;
    GaussianModel model_;
    uint32_t done_ = 0;

private:
    struct Pending {
        uint32_t step;  ///< counted from 0
        gpu::Ticket ticket;
    };

    const gpu::Commands& recorded(size_t view);
    gpu::Commands record(size_t view);
    void submitStep();
    void waitForRoom();
    bool collect(const std::function<bool(const StepReport&)>& onStep);
    void grow(const shared::StepStatus& status);
    void makeFrame(const FrameCapacity& capacity);

    gpu::Device& device_;
    const AccumulationRow& row_;
    const FrameCapacity firstCapacity_;
    Forward forward_;
    std::vector<glm::uvec2> sizes_;
    Targets targets_;
    gpu::Buffer views_;
    AdamMoments moments_;
    gpu::Buffer schedule_, training_, statusRing_, stamps_, stageTicks_, lossSums_, colourGradients_;
    LossScratch lossScratch_;
    std::optional<FrameBuffers> frame_;
    std::optional<BackwardBuffers> gradients_;
    std::vector<std::optional<gpu::Commands>> recordings_;
    std::vector<std::string> stageNames_;
    ViewOrder order_;
    std::deque<Pending> pending_;
    uint32_t next_ = 0;    ///< step to submit next
    uint64_t serial_ = 0;  ///< of the first pending step
    TrainingCosts costs_;
    double hostMicroseconds_ = 0;
};

Trainer::Impl::Impl(gpu::Device& device, const primitives::RadixSort& sort, const TrainSettings& settings, const Gaussians& start,
                    const std::vector<Photograph>& photographs, double sceneExtent)
    : settings_(settings),
      model_(device, static_cast<uint32_t>(start.count())),
      device_(device),
      row_(accumulationByName(settings.accumulate)),
      firstCapacity_(startCapacity(start.count(), photographs)),
      forward_(device, sort),
      targets_(device, photographs),
      views_(uploadViews(device, photographs)),
      moments_(device, model_.capacity),
      schedule_(device.buffer<shared::FrameParameters>("schedule", settings.steps)),
      training_(device.buffer<shared::TrainingState>("training state", 1)),
      statusRing_(device.buffer<shared::StepStatus>("status ring", kStatusSlots, gpu::Residence::readback)),
      stamps_(device.buffer<shared::Ticks>("time stamps", kMaxStages + 1)),
      stageTicks_(device.buffer<shared::Ticks>("stage ticks", kMaxStages)),
      lossSums_(device.buffer<shared::LossSums>("loss sums", 1)),
      colourGradients_(device.buffer<glm::vec3>("colour gradients", firstCapacity_.pixels())),
      lossScratch_(device, firstCapacity_.width, firstCapacity_.height),
      recordings_(photographs.size()),
      order_(photographs.size(), settings.seed) {
    CHECK(!settings.deterministic || row_.deterministic, "accumulation '{}' is not deterministic", row_.name);
    for (const Photograph& p : photographs) sizes_.emplace_back(p.image.width, p.image.height);
    model_.upload(device, start);
    device.upload(schedule_, stepSchedule(settings, sceneExtent));
    device.run("clear training state", [&](gpu::Commands& c) {
        for (const gpu::Buffer* b : {&training_, &stamps_, &stageTicks_}) c.fill(*b, 0);
    });
    makeFrame(firstCapacity_);
}

void Trainer::Impl::makeFrame(const FrameCapacity& capacity) {
    for (auto& recording : recordings_) recording.reset();
    frame_.reset();  // the old buffers go first, so that both never stand beside each other
    gradients_.reset();
    frame_.emplace(device_, capacity);
    gradients_.emplace(device_, capacity, row_);
    spdlog::debug("frame capacity: {} instances, {} buckets", capacity.instances, capacity.buckets);
}

gpu::Commands Trainer::Impl::record(size_t view) {
    gpu::Commands c(device_, fmt::format("step on view {}", view));
    const ViewSelection selection{views_, static_cast<uint32_t>(view), sizes_[view].x, sizes_[view].y};
    c.dispatchGroups(
        kernels::begin_step{
            .training = training_, .schedule = schedule_.words(), .frame = frame_->parameters.words(), .steps = settings_.steps},
        1);
    forward_.record(c, model_, *frame_, selection);
    c.stage("loss");
    recordLoss(c, {frame_->colours, targets_[view], selection.width, selection.height, static_cast<float>(settings_.ssimLambda)},
               lossScratch_, {colourGradients_, lossSums_});
    recordBackward(device_, c, row_, {*frame_, *gradients_, selection, colourGradients_, settings_.clampGradients});
    recordUpdate(c, model_, moments_, *frame_, *gradients_, row_, selection);
    c.copyTimestamps(stamps_);
    c.dispatchGroups(kernels::end_step{.state = frame_->state,
                                       .gaussianCount = model_.count,
                                       .visibleCount = frame_->visibleCount,
                                       .instanceCount = frame_->instanceCount,
                                       .loss = lossSums_,
                                       .stamps = stamps_,
                                       .stageTicks = stageTicks_,
                                       .training = training_,
                                       .statusRing = statusRing_,
                                       .slots = kStatusSlots,
                                       .stages = static_cast<uint32_t>(c.stages().size())},
                     1);
    c.end();
    stageNames_ = c.stages();
    return c;
}

const gpu::Commands& Trainer::Impl::recorded(size_t view) {
    if (!recordings_[view]) recordings_[view].emplace(record(view));
    return *recordings_[view];
}

void Trainer::Impl::submitStep() {
    const double before = threadMicroseconds();
    const uint64_t waits = device_.waits();
    const gpu::Ticket ticket = device_.submit(recorded(order_[next_]));
    pending_.push_back({next_++, ticket});
    costs_.waitsInSteps += device_.waits() - waits;
    hostMicroseconds_ += threadMicroseconds() - before;
}

/// The host is a queue ahead of the GPU: it sleeps until half of the queue is done.
void Trainer::Impl::waitForRoom() {
    ++costs_.pacingWaits;
    device_.wait(pending_[pending_.size() / 2].ticket);
}

/// Looks at the steps that are done; false when a report was answered so.
bool Trainer::Impl::collect(const std::function<bool(const StepReport&)>& onStep) {
    bool goOn = true;
    while (!pending_.empty() && device_.done(pending_.front().ticket)) {
        const shared::StepStatus status = statusRing_.mapped<shared::StepStatus>()[serial_ % kStatusSlots];
        if (status.halted) {
            grow(status);
            return goOn;
        }
        const glm::uvec2 size = sizes_[order_[pending_.front().step]];
        CHECK(status.step == pending_.front().step + 1, "the GPU did step {}, expected {}", status.step, pending_.front().step + 1);
        done_ = status.step;
        pending_.pop_front();
        ++serial_;
        const double loss = lossValue(status.loss, size.x, size.y, static_cast<float>(settings_.ssimLambda)).total;
        goOn = onStep({status.step, loss, status.gaussians, status.visible, status.instances}) && goOn;
    }
    return goOn;
}

/// A capacity overflowed, and everything in the queue since was a no-op: makes room and goes back to the first step that was not done.
void Trainer::Impl::grow(const shared::StepStatus& status) {
    costs_.repeatedSteps += pending_.size();
    next_ = pending_.front().step;
    device_.wait(pending_.back().ticket);
    serial_ += pending_.size();
    pending_.clear();
    FrameCapacity capacity = frame_->capacity;
    capacity.instances = grown(capacity.instances, status.instancesNeeded);
    capacity.buckets = grown(capacity.buckets, status.bucketsNeeded);
    makeFrame(capacity);
}

void Trainer::Impl::run(uint32_t untilStep, const std::function<bool(const StepReport&)>& onStep) {
    CHECK(untilStep <= settings_.steps, "step {} of {}", untilStep, settings_.steps);
    for (size_t view = 0; view < recordings_.size(); ++view) recorded(view);  // so that no step pays for it
    const auto start = std::chrono::steady_clock::now();
    bool goOn = true;
    while (done_ < untilStep && (goOn || !pending_.empty())) {
        if (goOn && next_ < untilStep && pending_.size() < kStepsInFlight) {
            submitStep();
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
    CHECK(pending_.empty() && next_ < settings_.steps, "step {} of {}, {} pending", next_, settings_.steps, pending_.size());
    const uint32_t step = next_;
    capture.begin(fmt::format("training step {}", step + 1));
    while (done_ == step) {  // again if a capacity overflowed
        submitStep();
        device_.wait(pending_.back().ticket);
        collect([](const StepReport&) { return true; });
    }
    return capture.end();
}

TrainingCosts Trainer::Impl::costs() {
    TrainingCosts costs = costs_;
    costs.steps = done_;
    const double steps = std::max(1u, done_);
    costs.hostMicrosecondsPerStep = hostMicroseconds_ / steps;
    const auto ticks = device_.download<shared::Ticks>(stageTicks_, kMaxStages);
    for (size_t i = 0; i < stageNames_.size(); ++i) {
        const double sum = static_cast<double>(ticks[i].low) + static_cast<double>(ticks[i].high) * 4294967296.0;
        costs.stages.emplace_back(stageNames_[i], sum * device_.timestampPeriod() * 1e-6 / steps);
    }
    return costs;
}

Trainer::Trainer(gpu::Device& device, const primitives::RadixSort& sort, const TrainSettings& settings, const Gaussians& start,
                 const std::vector<Photograph>& photographs, double sceneExtent) {
    CHECK(start.count() > 0 && !photographs.empty(), "{} gaussians, {} photographs", start.count(), photographs.size());
    impl_ = std::make_unique<Impl>(device, sort, settings, start, photographs, sceneExtent);
}

Trainer::~Trainer() = default;

void Trainer::run(uint32_t untilStep, const std::function<bool(const StepReport&)>& onStep) { impl_->run(untilStep, onStep); }
std::filesystem::path Trainer::captureStep(gpu::Capture& capture) { return impl_->captureStep(capture); }
uint32_t Trainer::stepsDone() const { return impl_->done_; }
int Trainer::shDegree() const { return static_cast<int>(shDegreeAt(impl_->settings_, impl_->done_)); }
const GaussianModel& Trainer::model() const { return impl_->model_; }
TrainingCosts Trainer::costs() const { return impl_->costs(); }

}  // namespace splat
