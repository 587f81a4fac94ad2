#pragma once

#include "train/evaluate.h"
#include "train/trainer.h"
#include "train/training_data.h"

namespace splat {

/// Is told what a live training does, on its thread, between two steps where nothing else is said. What a member throws ends the training with
/// that problem.
class LiveObserver {
public:
    virtual ~LiveObserver() = default;

    /// There is a trainer: a new start, or a checkpoint's state.
    virtual void onStart(const Trainer& trainer, const TrainingData& data) = 0;
    /// Every step, while the GPU works on later ones: nothing here may take long. The first step has no time (NaN): kernels were compiled.
    virtual void onStep(const StepReport& report, double millisecondsPerStep, const TrainSettings& settings) = 0;
    /// After the step told last. No views: there are none to evaluate.
    virtual void onEvaluation(const Evaluation& evaluation) = 0;
    /// All steps are done, or it is over before that. May be told again where somebody goes on.
    virtual void onEnd(Trainer& trainer, const TrainingData& data) = 0;
    /// It has diverged: nothing more is written, and onEnd() is not told. May be told again after a new start.
    virtual void onDivergence(const Diverged& problem) = 0;
    /// It has failed: the device may be lost, or have no memory left. No trainer: before there was one. Must not throw.
    virtual void onFailure(const std::string& problem, Trainer* trainer) = 0;
};

}  // namespace splat
