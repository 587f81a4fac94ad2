#include <splatwright/train/step/step_recorder.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include <splatwright/core/log.h>
#include <splatwright/render/blend_self_test.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/step/schedule.h>
#include <splatwright/train/step/training_costs.h>

namespace splat {

namespace {

using shared::kMaxStages;

std::vector<Camera> camerasOf(std::span<const Photograph> photographs) {
    std::vector<Camera> cameras;
    for (const Photograph& p : photographs) cameras.push_back(p.camera);
    return cameras;
}

/// The cameras of a level's images.
std::vector<Camera> camerasAt(const std::vector<Camera>& cameras, uint32_t level) {
    std::vector<Camera> smaller;
    for (const Camera& camera : cameras) smaller.push_back(downscaled(camera, 1 << level));
    return smaller;
}

/// In the order of Targets::image().
std::vector<glm::uvec2> sizesOf(const std::vector<Camera>& cameras, uint32_t levels) {
    std::vector<glm::uvec2> sizes;
    for (uint32_t level = 0; level < levels; ++level) {
        for (const Camera& camera : camerasAt(cameras, level)) sizes.emplace_back(camera.width, camera.height);
    }
    return sizes;
}

std::vector<gpu::Buffer> viewBuffers(gpu::Device& device, size_t views, uint32_t levels) {
    std::vector<gpu::Buffer> buffers;
    for (uint32_t level = 0; level < levels; ++level)
        buffers.push_back(device.buffer<shared::ViewParameters>(fmt::format("views at level {}", level), views));
    return buffers;
}

FrameCapacity imageCapacity(std::span<const Photograph> photographs) {
    FrameCapacity c;
    for (const Photograph& p : photographs) {
        c.width = std::max(c.width, static_cast<uint32_t>(p.image.width));
        c.height = std::max(c.height, static_cast<uint32_t>(p.image.height));
    }
    return c;
}

}  // namespace

StepRecorder::StepRecorder(const DensifierInputs& in, GaussianStore& store, std::span<const Photograph> photographs, Targets& targets)
    : device_(in.device),
      sort_(in.sort),
      sceneExtent_(in.sceneExtent),
      settings_(in.settings),
      inputs_{device_, sort_, settings_, sceneExtent_},
      store_(store),
      forward_(device_, in.sort),
      cameras_(camerasOf(photographs)),
      sizes_(sizesOf(cameras_, targets.levels())),
      targets_(targets),
      views_(viewBuffers(device_, photographs.size(), targets.levels())),
      parameters_(device_.buffer<shared::StepParameters>("step parameters", 1)),
      training_(device_.buffer<shared::TrainingState>("training state", 1)),
      statusRing_(device_.buffer<shared::StepStatus>("status ring", kStatusSlots, gpu::Residence::readback)),
      stamps_(device_.buffer<shared::Ticks>("time stamps", kMaxStages + 1)),
      stageTicks_(device_.buffer<shared::Ticks>("stage ticks", kMaxStages + 1)),
      loss_(device_, lossTable(), stepPartTerms()),
      lossRing_(device_.buffer<float>("loss ring", size_t{kStatusSlots} * loss_.terms(), gpu::Residence::readback)),
      refinement_(device_.buffer<shared::Refinement>("refinement", 1)),
      tools_(device_, sort_, settings_),
      capacity_(imageCapacity(photographs)),
      parts_({.training = inputs_,
              .store = store_,
              .targets = targets_,
              .cameras = cameras_,
              .views = views_,
              .size = {capacity_.width, capacity_.height},
              .statusSlots = kStatusSlots},
             loss_.firstFurther()),
      kernels_(device_.kernelGeneration()),
      steps_(sizes_.size()) {
    SPLAT_CHECK(targets.levels() == levelsOf(in.settings), "{} sizes of photographs, expected {}", targets.levels(), levelsOf(in.settings));
    for (uint32_t level = 0; level < targets_.levels(); ++level) {
        std::vector<shared::ViewParameters> views;
        for (const Camera& camera : camerasAt(cameras_, level)) views.push_back(viewParameters(camera));
        device_.upload(views_[level], views);
    }
    apply(in.settings);
    device_.run("clear training state", [&](gpu::Commands& c) {
        for (const gpu::Buffer* b : {&training_, &stamps_, &stageTicks_}) c.fill(*b, 0);
    });
}

void StepRecorder::settle(std::span<const AccumulationMethod> methods) const {
    for (const AccumulationMethod& method : methods) settleAccumulation(device_, sort_, *method.row);
}

/// Makes all that follows from the settings.
void StepRecorder::apply(const TrainSettings& settings) {
    settings_ = settings;
    const DensifierRow& densifier = densifierByName(settings_.strategy);
    statistics_ = densifier.statistics(settings_);
    recordedMethod_ = method_ = firstMethod(settings_);
    settle({&method_, 1});
    SPLAT_CHECK(!settings_.deterministic || method_.row->deterministic, "accumulation '{}' is not deterministic", nameOf(method_));
    events_.clear();
    parts_.change();
    for (const MadePart& made : parts_) std::ranges::move(made.part->eventsBefore(), std::back_inserter(events_));
    std::ranges::move(densifier.events(inputs_), std::back_inserter(events_));
    for (const MadePart& made : parts_) std::ranges::move(made.part->eventsAfter(), std::back_inserter(events_));
    eventRecordings_.resize(events_.size());
    const std::vector<shared::StepParameters> schedule = scheduleNow();
    schedule_ = device_.buffer<shared::StepParameters>("schedule", schedule.size());
    device_.upload(schedule_, schedule);
}

std::vector<shared::StepParameters> StepRecorder::scheduleNow() const {
    TrainSettings settings = settings_;
    settings.randomBackground &= targets_.transparent();  // where nothing is transparent, they would only punish what is not opaque yet
    std::vector<shared::StepParameters> schedule = stepSchedule(settings, sceneExtent_, rateScale_);
    for (uint32_t step = 0; step < settings_.steps; ++step) schedule[step].photograph = targets_.firstPixel(step);
    return schedule;
}

void StepRecorder::scaleRates(double scale) {
    rateScale_ = scale;
    device_.upload(schedule_, scheduleNow());
}

void StepRecorder::change(const TrainSettings& settings) {
    releaseFrame();
    eventRecordings_.clear();
    apply(settings);
}

void StepRecorder::releaseFrame() {
    clearRecordings();
    for (const MadePart& made : parts_) made.part->releaseFrame();
    frame_.reset();
    gradients_.reset();
    lossScratch_.reset();
    colourGradients_.reset();
}

void StepRecorder::clearRecordings() {
    for (StepRecordings& recordings : steps_) {
        recordings.timed.reset();
        recordings.untimed.reset();
    }
    for (auto& recording : eventRecordings_) recording.reset();
}

void StepRecorder::makeFrame(uint32_t instances, uint32_t buckets) {
    releaseFrame();
    capacity_.gaussians = store_.model.capacity;
    capacity_.instances = instances;
    capacity_.buckets = method_.row->checkpoints ? buckets : 0;
    capacity_.carriedNumbers = 0;
    capacity_.blendSums = false;
    for (const MadePart& made : parts_) made.part->demand(capacity_);
    capacity_.transientBytes = BackwardBuffers::transientBytes(capacity_, *method_.row) +
                               LossScratch::bytes(capacity_.width, capacity_.height) + gpu::Arena::bytes<glm::vec3>(capacity_.pixels());
    for (const MadePart& made : parts_) capacity_.transientBytes += made.part->transientBytes(capacity_);
    frame_.emplace(device_, capacity_);
    gpu::Arena transient = frame_->transient();
    gradients_.emplace(device_, capacity_, *method_.row, transient);
    lossScratch_.emplace(device_, transient, capacity_.width, capacity_.height);
    colourGradients_.emplace(transient.take<glm::vec3>("colour gradients", capacity_.pixels()));
    for (const MadePart& made : parts_) made.part->makeFrame(transient, capacity_);
    spdlog::debug("frame capacity: {} gaussians, {} instances, {} buckets", capacity_.gaussians, instances, buckets);
}

void StepRecorder::setLimit(uint32_t gaussians) {
    limit_ = gaussians;
    for (auto& recording : eventRecordings_) recording.reset();
}

const gpu::Commands& StepRecorder::step(size_t image, gpu::StageTimes times) {
    std::optional<gpu::Commands>& recording = times == gpu::StageTimes::measured ? steps_[image].timed : steps_[image].untimed;
    if (!recording) recording.emplace(recordStep(image, times));
    return *recording;
}

const gpu::Commands& StepRecorder::event(size_t event) {
    if (!eventRecordings_[event]) eventRecordings_[event].emplace(recordEvent(events_[event]));
    return *eventRecordings_[event];
}

void StepRecorder::prepare(size_t image) {
    if (outdated()) {
        kernels_ = device_.kernelGeneration();
        recordedMethod_ = method_;
        clearRecordings();
    }
    step(image, gpu::StageTimes::none);
    for (size_t i = 0; i < events_.size(); ++i) {
        if (!events_[i].late) event(i);
    }
}

void StepRecorder::startParts() {
    if (std::ranges::all_of(parts_, &MadePart::started)) return;
    device_.run("start parts", [&](gpu::Commands& c) {
        tools_.recordBegin(c, refineJob());
        for (MadePart& made : parts_) {
            if (!std::exchange(made.started, true)) made.part->recordStart(c, refineJob());
        }
    });
}

const shared::StepStatus& StepRecorder::status(uint64_t serial) const {
    return statusRing_.mapped<shared::StepStatus>()[serial % kStatusSlots];
}

std::vector<LossShare> StepRecorder::losses(uint64_t serial, size_t image) const {
    const std::span<const float> sums(lossRing_.mapped<float>() + serial % kStatusSlots * loss_.terms(), loss_.terms());
    const shared::StepStatus& told = status(serial);
    return loss_.shares(sums, {sizes_[image].x, sizes_[image].y, told.gaussians}, settings_, std::max(told.step, 1u) - 1);
}

uint32_t StepRecorder::reportsAfter(uint32_t steps) const {
    return static_cast<uint32_t>(std::ranges::count_if(parts_, [&](const MadePart& made) { return made.part->reportsAfter(steps); }));
}

void StepRecorder::report(uint32_t event, uint64_t serial, StepReport& report) const {
    for (const MadePart& made : parts_) {
        if (made.part->reportsAfter(report.step) && event-- == 0)
            return made.part->report(report, static_cast<uint32_t>(serial % kStatusSlots));
    }
}

void StepRecorder::setStep(uint32_t step) {
    device_.upload(training_, std::vector<uint32_t>{step});
    device_.run("clear stage ticks", [&](gpu::Commands& c) { c.fill(stageTicks_, 0); });
}

std::vector<std::pair<std::string, const gpu::Buffer*>> StepRecorder::partState() const {
    std::vector<std::pair<std::string, const gpu::Buffer*>> all;
    for (const MadePart& made : parts_) std::ranges::copy(made.part->state(), std::back_inserter(all));
    return all;
}

std::vector<CheckpointSection> StepRecorder::save() const {
    std::vector<CheckpointSection> sections;
    for (const auto& [name, buffer] : partState()) {
        const gpu::BufferSlice slice = *buffer;
        sections.push_back({name, slice.stride, device_.download<std::byte>(slice, slice.bytes)});
    }
    return sections;
}

void StepRecorder::load(const Checkpoint& checkpoint) {
    for (const auto& [name, buffer] : partState()) {
        const gpu::BufferSlice slice = *buffer;
        const std::vector<std::byte>& bytes = checkpoint.section(name, slice.stride).bytes;
        if (bytes.size() != slice.bytes)
            throw InputError("{}: section '{}' has {} bytes, expected {} for {} views", checkpoint.path.string(), name, bytes.size(),
                             slice.bytes, cameras_.size());
        device_.upload(slice, bytes);
    }
}

std::vector<Camera> StepRecorder::movedCameras() const {
    for (const MadePart& made : parts_) {
        if (std::vector<Camera> moved = made.part->movedCameras(); !moved.empty()) return moved;
    }
    return {};
}

std::vector<StageCost> StepRecorder::stageCosts(uint32_t steps) const {
    const auto ticks = device_.download<shared::Ticks>(stageTicks_, kMaxStages + 1);
    const uint32_t timed = ticks[shared::kTimedSteps].low;
    std::vector<StageCost> stages;
    const auto add = [&](const std::string& name, const shared::Ticks& t, uint32_t over) {
        const double sum = static_cast<double>(t.low) + static_cast<double>(t.high) * 0x1p32;
        stages.push_back({name, sum * device_.timestampPeriod() * 1e-6, over});
    };
    for (size_t i = 0; i < stageNames_.size(); ++i) add(stageNames_[i], ticks[i], timed);
    if (!events_.empty()) add("densify", ticks[kMaxStages - 1], steps);
    return stages;
}

}  // namespace splat
