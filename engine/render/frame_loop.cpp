#include "render/frame_loop.h"

#include <algorithm>

#include "core/log.h"

namespace splat {

namespace {

/// Words of what a picture tells: those of the frame state, then two counts.
constexpr size_t kStateWords = sizeof(shared::FrameState) / sizeof(uint32_t);
constexpr size_t kToldWords = kStateWords + 2;

}  // namespace

FrameLoop::FrameLoop(gpu::Device& device, const primitives::RadixSort& sort, const GaussianModel& model, glm::uvec2 size,
                     glm::vec3 background, int shDegree)
    : device_(device),
      model_(model),
      size_(size),
      parameters_{.shDegree = static_cast<uint32_t>(shDegree), .background = background},
      forward_(device, sort),
      newViews_(device.buffer<shared::ViewParameters>("views to come", kInFlight, gpu::Residence::staging)),
      views_(device.buffer<shared::ViewParameters>("views", kInFlight)),
      told_(device.buffer<uint32_t>("what pictures tell", kInFlight * kToldWords, gpu::Residence::readback)) {
    makeFrame(4 * model.capacity);
}

/// The GPU must be done with the buffers before they go. A device that is lost will not use them either.
FrameLoop::~FrameLoop() {
    try {
        if (submitted_ > collected_) device_.wait(slots_[(submitted_ - 1) % kInFlight].ticket);
    } catch (const Error& e) {
        spdlog::debug("while leaving a frame loop: {}", e.what());
    }
}

void FrameLoop::makeFrame(uint32_t instances) {
    for (Slot& slot : slots_) slot.commands.reset();
    frame_.reset();  // the old buffers go first, so that both never stand beside each other
    frame_.emplace(
        device_,
        FrameCapacity{.gaussians = model_.capacity, .instances = instances, .width = size_.x, .height = size_.y, .backward = false});
    device_.upload(frame_->parameters, std::vector{parameters_});
}

gpu::Commands FrameLoop::record(uint32_t slot) const {
    constexpr VkDeviceSize kView = sizeof(shared::ViewParameters), kWord = sizeof(uint32_t);
    const VkDeviceSize told = slot * kToldWords * kWord;
    gpu::Commands c(device_, "picture");
    c.copy(newViews_.slice(slot * kView, kView), views_.slice(slot * kView, kView));
    forward_.record(c, model_, *frame_, {views_, slot, size_.x, size_.y});
    c.copy(frame_->state, told_.slice(told, kStateWords * kWord));
    c.copy(frame_->visibleCount, told_.slice(told + kStateWords * kWord, kWord));
    c.copy(frame_->instanceCount, told_.slice(told + (kStateWords + 1) * kWord, kWord));
    c.end();
    return c;
}

void FrameLoop::draw(const Camera& camera) {
    CHECK(static_cast<uint32_t>(camera.width) == size_.x && static_cast<uint32_t>(camera.height) == size_.y, "{}x{} in a loop of {}x{}",
          camera.width, camera.height, size_.x, size_.y);
    if (submitted_ - collected_ == kInFlight) collect();
    const size_t slot = submitted_ % kInFlight;
    newViews_.mapped<shared::ViewParameters>()[slot] = viewParameters(camera);
    auto& commands = slots_[slot].commands;
    if (!commands) commands.emplace(record(static_cast<uint32_t>(slot)));
    slots_[slot].ticket = device_.submit(*commands);
    ++submitted_;
}

void FrameLoop::finish() {
    while (collected_ < submitted_) collect();
}

std::vector<FrameReport> FrameLoop::reports() { return std::exchange(reports_, {}); }

/// Learns what the oldest picture in flight tells. One that did not fit halts all behind it, so they are learnt too before there is more room.
void FrameLoop::collect() {
    uint32_t needed = 0;
    do {
        const size_t slot = collected_ % kInFlight;
        device_.wait(slots_[slot].ticket);
        const uint32_t* told = told_.mapped<uint32_t>() + slot * kToldWords;
        const auto& state = *reinterpret_cast<const shared::FrameState*>(told);
        FrameReport report{.frame = collected_,
                           .complete = state.halted == 0,
                           .visible = told[kStateWords],
                           .instances = told[kStateWords + 1],
                           .stages = {}};
        const auto milliseconds = slots_[slot].commands->stageMilliseconds();
        for (size_t i = 0; i < milliseconds.size(); ++i) report.stages.emplace_back(slots_[slot].commands->stages()[i], milliseconds[i]);
        reports_.push_back(std::move(report));
        needed = std::max(needed, state.halted ? state.instancesNeeded : 0);
        ++collected_;
    } while (needed > 0 && collected_ < submitted_);
    if (needed > 0) makeFrame(FrameCapacity::withHeadRoom(needed));
}

}  // namespace splat
