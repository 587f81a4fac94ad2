#pragma once

#include <splatwright/primitives/radix_sort.h>
#include <splatwright/train/session/run_record.h>
#include <splatwright/train/session/session_data.h>
#include <splatwright/train/step/trainer.h>

namespace splat {

/// What a run keeps of a kind of model beside its splats, metrics, log and checkpoints: TrainedKindRow::results.
class KindResults {
public:
    KindResults(gpu::Device& device, const primitives::RadixSort& sort, const SessionData& data)
        : device_(device), sort_(sort), data_(data) {}
    virtual ~KindResults() = default;
    KindResults(const KindResults&) = delete;
    KindResults& operator=(const KindResults&) = delete;

    /// Called after each evaluation of a run that has a folder. `last`: the render of the last test view, if there is one.
    virtual void evaluated(const Trainer&, const Evaluation&, const Image8& /*last*/) {}
    /// strip.png of a complete run.
    virtual Image8 strip(Trainer&) = 0;
    /// Writes files of the kind's own, and completes the summary by them.
    virtual void save(RunRecord&, Trainer&, RunSummary&) {}
    /// Writes the model in a format of the kind's own, atomically, if the path's ending stands for one. Returns whether it does.
    virtual bool saveOwn(const Trainer&, const std::filesystem::path&) { return false; }

protected:
    gpu::Device& device_;
    const primitives::RadixSort& sort_;
    const SessionData& data_;
};

}  // namespace splat
