#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <splatwright/train/step/state_copy.h>
#include <splatwright/train/step/trainer.h>
#include <splatwright/train/watch/collapse_detector.h>
#include <splatwright/train/watch/rollback.h>

namespace splat {

/// Watches a training with the setting `watch`: keeps copies of its state while it is healthy, notices when it collapses, and rolls it back once
/// with half the learning rates. All it does follows from the steps alone, none from when their reports arrive.
class TrainingWatch {
public:
    explicit TrainingWatch(gpu::Device& device);

    /// A training starts. flatErrors: flatError() of each training view. resumed: the checkpoint that it continues from, or null. Throws
    /// InputError if the checkpoint's `watch` is damaged.
    void begin(Trainer& trainer, std::vector<double> flatErrors, const Checkpoint* resumed);
    /// The settings have changed: what was reached before says nothing about them, and older copies are of no use.
    void change(Trainer& trainer);

    /// Called for every step, in order. Returns a sample for the log if the model's health was measured.
    std::optional<HealthSample> add(const StepReport& report);
    /// The collapse, once it is noticed; steps behind it do not count.
    const std::optional<Diverged>& collapse() const { return collapse_; }
    /// Whether the last sample was as it should be.
    bool healthy() const { return !collapse_ && detector_.healthy(); }

    /// Copies the state between two steps, if it is healthy; SessionStops says when.
    void keep(Trainer& trainer);

    /// Whether a training with this problem, a collapse or a divergence, can be rolled back: it has a copy, and was not rolled back before.
    bool mayRollBack(const Diverged& problem) const;
    /// Restores a state from well before the problem and halves the learning rates.
    const Rollback& rollBack(Trainer& trainer, const Diverged& problem);
    /// The problem of a training that cannot be rolled back any more.
    Diverged finally(const Diverged& problem) const;
    /// Restores such a state, of which there must be a copy.
    void restore(Trainer& trainer, const Diverged& problem);
    /// Step of that state; none: there is no copy.
    std::optional<uint32_t> copiedStep(const Diverged& problem) const;

    const std::vector<Rollback>& rollbacks() const { return rollbacks_; }
    /// What a resumed run needs of all this, for a checkpoint's header.
    nlohmann::ordered_json state() const;

private:
    /// A copy, and how the watch stood then.
    struct Kept {
        explicit Kept(gpu::Device& device) : copy(device) {}

        StateCopy copy;
        CollapseDetector detector{0};
        HealthSampler::Sums sums;
    };

    void load(const Checkpoint& resumed);
    void take(Trainer& trainer);
    void forgetCopies();
    const Kept* before(const Diverged& problem) const;

    TrainSettings settings_;
    HealthSampler sampler_;
    CollapseDetector detector_{0};
    std::optional<Diverged> collapse_;
    std::vector<Rollback> rollbacks_;
    std::array<std::unique_ptr<Kept>, 2> kept_;  ///< the newer one first
    bool canKeep_ = true;                        ///< false: the host's memory is short
};

}  // namespace splat
