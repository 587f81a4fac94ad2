#pragma once

#include <optional>

#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/step/state_copy.h>
#include <splatwright/train/step/trainer.h>

namespace splat {

/// A state of a trainer to return to, which checkpoints keep beside the present one: their header has its small values as `best`, and their sections
/// its sections, each as "best NAME".
class BestState {
public:
    explicit BestState(gpu::Device& device) : copy_(device) {}

    /// The trainer's present state replaces it. Without memory for a copy there is none, and a warning says so.
    void keep(Trainer& trainer);
    void forget();
    /// Forgets, and gives the memory back: there will be no further state.
    void release();
    /// A checkpoint's header and sections; none: there is no state.
    std::optional<Checkpoint> state() const;

    void saveIn(Checkpoint& checkpoint) const;
    /// Takes what saveIn() has put there, if it has.
    void loadFrom(const Checkpoint& checkpoint);

private:
    StateCopy copy_;
    std::optional<Checkpoint> loaded_;  ///< instead of a copy
};

}  // namespace splat
