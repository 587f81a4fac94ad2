#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/step/trainer.h>
#include <splatwright/train/watch/best_state.h>
#include <splatwright/train/watch/growth_end.h>

namespace splat {

/// Ends the growth of a training with the setting `withhold` at the state in which the views that are withheld from it looked best, if later
/// states do not look better. All it does follows from the steps alone.
class GrowthWatch {
public:
    explicit GrowthWatch(gpu::Device& device) : best_(device) {}

    /// A training starts. image: a training view with its pixels. resumed: the checkpoint that it continues from, or null. Throws InputError if the
    /// checkpoint's `growth` is damaged.
    void begin(const Trainer& trainer, size_t trainingViews, const std::function<Photograph(size_t)>& image, const Checkpoint* resumed);
    /// The settings have changed: earlier scores say nothing about them.
    void change(const Trainer& trainer);
    /// The training goes on from an earlier state.
    void forgetScores();

    /// The next step after which the views are to be scored; none: growth has ended, or there are no views.
    std::optional<uint32_t> nextScore(uint32_t done) const;
    /// The withheld views, in the training frame.
    const std::vector<Photograph>& views() const { return views_; }
    /// Takes the views' score of the trainer's state. True: growth is to end now.
    bool add(Trainer& trainer, const WithheldScore& score);
    /// Ends growth: brings back the best state, or keeps the present one if there is no copy. The settings are then to be shortened().
    void end(Trainer& trainer);

    /// The best score, which end() has gone back to.
    const WithheldScore& best() const { return *growth_.best(); }
    const std::optional<uint32_t>& endedAt() const { return endedAt_; }
    GrowthReport report() const { return {views_.size(), endedAt_, growth_.scores()}; }
    /// Adds to a checkpoint what a resumed run needs of all this.
    void saveIn(Checkpoint& checkpoint) const;

private:
    void load(const Checkpoint& resumed);
    void close();

    std::vector<Photograph> views_;
    size_t trainingViews_ = 0;
    TrainSettings settings_;  ///< of the steps so far
    GrowthEnd growth_{settings_.growthGain};
    BestState best_;
    std::optional<uint32_t> endedAt_;
    bool open_ = false;  ///< whether there will be further scores
};

}  // namespace splat
