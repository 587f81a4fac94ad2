#pragma once

#include <optional>
#include <string>
#include <vector>

#include <splatwright/train/step/accumulation_choice.h>
#include <splatwright/train/step/step_recorder.h>

namespace splat {

/// With `accumulate=auto`, times the backward pass by other methods behind some steps, and makes steps use the fastest. A trial repeats the
/// backward pass of the step before it, whose gradients are no longer needed, so it changes no result; its time stamps are read when the
/// step is done.
class AccumulationTrials {
public:
    AccumulationTrials(gpu::Device& device, StepRecorder& recorder) : device_(device), recorder_(recorder) {}

    /// The optional feature without which nothing is compared: time stamps, or what keeps a method from falling back to compare and swap, a single
    /// backward pass of which may take seconds. Empty: the device has all.
    static std::string missingFeature(const gpu::Device& device);

    /// Compares these methods anew, beginning with the first; none: the settings name one. The queue must be empty. Keeps decisions and costs.
    void restart(const std::vector<AccumulationMethod>& methods);
    void clearCosts();

    /// The trial to submit behind a step, counted from 0, on this image; null behind most. It lives until the step is done() or abandoned.
    const gpu::Commands* behind(uint32_t step, size_t image);
    /// This step is done, counted from 0, and what was submitted with it.
    void done(uint32_t step);
    /// Steps in the queue have done nothing, because one overflowed; the queue is empty.
    void abandon();

    const std::vector<AccumulationDecision>& decisions() const { return decisions_; }
    /// GPU time of all trials.
    double milliseconds() const { return milliseconds_; }

private:
    struct Trial {
        uint32_t step;
        gpu::Commands commands;
    };

    gpu::Device& device_;
    StepRecorder& recorder_;
    std::optional<AccumulationChoice> choice_;  ///< none: there is nothing to choose
    std::optional<Trial> trial_;                ///< in the queue
    std::vector<AccumulationDecision> decisions_;
    double milliseconds_ = 0;
};

}  // namespace splat
