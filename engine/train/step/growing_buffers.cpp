#include <splatwright/train/step/growing_buffers.h>

#include <algorithm>
#include <vector>

#include <splatwright/core/log.h>
#include <splatwright/gpu/check.h>
#include <splatwright/train/settings/accumulation_setting.h>

namespace splat {

GrowingBuffers::GrowingBuffers(gpu::Device& device, GaussianStore& store, StepRecorder& recorder, ModelGuard& guard)
    : device_(device), store_(store), recorder_(recorder), guard_(guard) {}

void GrowingBuffers::setLimit(const TrainSettings& settings) {
    deviceLimit_ = mostGaussians(device_, accumulationOf(settings));
    limit_ = settings.maxSplats > 0 ? std::min(settings.maxSplats, deviceLimit_) : deviceLimit_;
    recorder_.setLimit(limit_);
}

void GrowingBuffers::reserve(uint32_t gaussians) {
    const uint32_t capacity = GaussianStore::roundedCapacity(std::min(gaussians, limit_));
    if (capacity > store_.model.capacity) guard_.replace([&] { store_.resize(capacity); });
}

void GrowingBuffers::makeFirstFrame(uint32_t gaussians) {
    recorder_.makeFrame(4 * gaussians + 32 * recorder_.capacity().tiles(), startBuckets());
}

void GrowingBuffers::makeFrameAfterChange(const FrameCapacity& had) {
    recorder_.makeFrame(had.instances, std::max(had.buckets, startBuckets()));
}

void GrowingBuffers::restoreFrame() {
    const FrameCapacity had = recorder_.capacity();
    if (!recorder_.hasFrame()) recorder_.makeFrame(had.instances, had.buckets);
}

/// A guess, for as long as no step has reported how many checkpoints of blending it needs.
uint32_t GrowingBuffers::startBuckets() const { return store_.model.capacity / 8 + 9 * recorder_.capacity().tiles(); }

void GrowingBuffers::grow(const StepCapacity& needed) {
    const FrameCapacity had = recorder_.capacity();
    const std::vector<StepCapacity> attempts = growthAttempts({had.gaussians, had.instances, had.buckets}, needed, limit_);
    std::string problem;
    for (const StepCapacity& attempt : attempts) {
        try {
            recorder_.releaseFrame();  // before the model grows, so that both need not fit at once
            const uint32_t gaussians = GaussianStore::roundedCapacity(attempt.gaussians), before = store_.model.capacity;
            if (gaussians != before) guard_.replace([&] { store_.resize(gaussians); });
            recorder_.makeFrame(attempt.instances, attempt.buckets);
            if (gaussians > before && gaussians >= deviceLimit_ && deviceLimit_ != FrameCapacity::kMostTrained)
                spdlog::warn("'{}' binds at most {} MiB of a buffer (maxStorageBufferRange): the model grows to {} gaussians at most",
                             device_.name(), device_.limits().maxStorageBufferRange >> 20u, deviceLimit_);
            if (attempt.gaussians >= needed.gaussians) return;
            limit_ = store_.model.capacity;
            recorder_.setLimit(limit_);
            spdlog::warn("no device memory for more than {} Gaussians: the model stops growing, training continues ({})", limit_, problem);
            return;
        } catch (const gpu::OutOfMemory& outOfMemory) {
            if (attempt == attempts.back()) throw;
            problem = outOfMemory.what();
            spdlog::debug("no memory for {} gaussians and {} instances ({})", attempt.gaussians, attempt.instances, problem);
        }
    }
}

}  // namespace splat
