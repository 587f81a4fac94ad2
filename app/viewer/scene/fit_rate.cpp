#include "viewer/scene/fit_rate.h"

#include <chrono>
#include <memory>

#include <splatwright/core/log.h>
#include <splatwright/train/kinds/fitted_file.h>
#include "viewer/scene/training.h"
#include "viewer/scene/view_strip.h"
#include "viewer/window/clock.h"

namespace splat::app {

namespace {

constexpr double kPause = 9;  // times what a measurement took, until the next one

FitPoint measured(gpu::Device& device, const primitives::RadixSort& sort, const Trainer& trainer, const Photograph& picture) {
    const FittedFile file = fittedFile(device, sort, trainer, composited(picture, trainer.settings().background));
    return {.step = trainer.stepsDone(),
            .blobs = file.blobs,
            .bytes = file.bytes.size(),
            .rawBytes = rawBytes(file.blobs),
            .bitsPerPixel = file.bitsPerPixel,
            .psnr = file.psnr,
            .filePsnr = file.roundedPsnr};
}

}  // namespace

bool FitRate::update(Training& training) {
    const uint32_t step = training.state().last.step;
    if (step < asked_) {  // it begins anew
        points_.clear();
        asked_ = 0;
    }
    const bool news = take();
    if (isDue(training)) ask(training);
    return news;
}

bool FitRate::awaits(const Training& training) const {
    return rests(training.state().phase) && training.state().last.step > 0 && (next_.valid() || asked_ != training.state().last.step);
}

bool FitRate::isDue(const Training& training) const {
    const LiveState& state = training.state();
    if (next_.valid() || state.last.step == 0) return false;
    if (rests(state.phase)) return state.last.step != asked_;
    return state.phase == SessionPhase::running && state.last.step >= asked_ + stripInterval(state.settings.steps) && now() >= notBefore_;
}

/// Of a session that ends, or has lost its model, none comes.
bool FitRate::take() {
    if (!next_.valid() || next_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
    notBefore_ = now() + kPause * (now() - askedAt_);
    try {
        const FitPoint point = next_.get();
        const bool isLater = points_.empty() || points_.back().step < point.step;
        if (isLater && asked_ > 0) points_.push_back(point);
        return isLater;
    } catch (const std::exception& problem) {
        spdlog::warn("the rate of a fit: {}", problem.what());
        return false;
    }
}

void FitRate::ask(Training& training) {
    asked_ = training.state().last.step;
    askedAt_ = now();
    const auto promise = std::make_shared<std::promise<FitPoint>>();
    next_ = promise->get_future();
    const auto look = [promise, picture = training.live().viewImage(0), &device = device_, &sort = sort_](const Trainer& trainer) {
        try {
            if (picture) promise->set_value(measured(device, sort, trainer, *picture));
        } catch (...) {
            promise->set_exception(std::current_exception());
        }
    };
    training.live().inspect(look);
}

}  // namespace splat::app
