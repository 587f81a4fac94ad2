#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include <splatwright/core/fair_mutex.h>
#include <splatwright/train/session/session.h>
#include <splatwright/train/step/trainer.h>

namespace splat {

/// The trainer of a session, whose model other threads may draw while it trains.
class SharedTrainer {
public:
    /// Replaces the trainer; nullptr removes it.
    void reset(std::unique_ptr<Trainer> trainer) {
        const std::scoped_lock lock(lock_);
        trainer_ = std::move(trainer);
        noteDegree();
    }
    explicit operator bool() const { return trainer_ != nullptr; }
    Trainer& operator*() const { return *trainer_; }
    Trainer* operator->() const { return trainer_.get(); }

    /// Call after each step, for shDegree().
    void noteDegree() { shDegree_ = trainer_ ? trainer_->shDegree() : 0; }
    /// For any thread.
    int shDegree() const { return shDegree_; }
    /// TrainingSession::withModel(). For any thread.
    bool withModel(const std::function<void(const SessionModel&)>& draw) {
        const std::scoped_lock lock(lock_);
        if (!trainer_) return false;
        const std::scoped_lock modelLock(trainer_->modelLock());
        draw({trainer_->model(), shDegree_, trainer_->modelGeneration(), trainer_->densifyStatistics()});
        return true;
    }

private:
    FairMutex lock_;  ///< held while trainer_ is replaced; locked before the trainer's own lock
    std::unique_ptr<Trainer> trainer_;
    std::atomic<int> shDegree_ = 0;
};

}  // namespace splat
