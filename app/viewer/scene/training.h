#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <splatwright/gpu/painting.h>
#include <splatwright/scene/datasets/picture.h>
#include <splatwright/train/session/live_training.h>
#include <splatwright/train/step/stage_window.h>
#include <splatwright/train/step/training_costs.h>
#include <splatwright/view/world.h>
#include "viewer/scene/earlier_run.h"
#include "viewer/scene/view_list.h"

namespace splat::app {

/// GPU milliseconds per step of a stage over the last few minutes, one mean about every second.
struct StageHistory {
    std::string name;
    std::vector<float> milliseconds;
    std::vector<uint32_t> steps;  ///< after which each was taken
};

/// Seconds as "2 h 05 min", "3 min 20 s" or "7 s".
std::string durationText(double seconds);

/// Whether a session in that phase has a model and does not train it.
inline bool rests(SessionPhase phase) {
    return phase == SessionPhase::ready || phase == SessionPhase::paused || phase == SessionPhase::finished;
}

/// A dataset, and the model that is trained on it, as one of the world's models: what is on the screen is copied from the trainer now and then,
/// on the GPU.
class Training {
public:
    Training(gpu::Device& device, World& world, SessionOptions options);
    ~Training();
    Training(const Training&) = delete;
    Training& operator=(const Training&) = delete;

    LiveTraining& live() { return live_; }
    const LiveTraining& live() const { return live_; }
    /// As of the last update().
    const LiveState& state() const { return state_; }
    const std::filesystem::path& data() const { return data_; }
    /// Folder that gets them at the end; empty: there is none.
    const std::filesystem::path& results() const { return results_; }
    World::Id model() const { return model_; }
    const std::vector<LiveView>& views() const { return views_; }
    const std::vector<Camera>& cameras() const { return cameras_; }  ///< the views'
    const std::vector<StageHistory>& stages() const { return stages_; }
    /// RGBA8 of a view's thumbnail; made when first asked for.
    const gpu::Texture& thumbnail(size_t view);

    /// What the panel changes; apply() hands them on, with what comes along.
    TrainSettings settings;
    void apply();
    /// Replaces all settings by those of a preset, by its name or a JSON file; in a run that has begun, those that need a new start stay. Throws
    /// InputError if there is none.
    void takePreset(const std::string& nameOrFile);
    /// Whether a single picture is fitted.
    bool isPicture() const { return format_ == kPictureFormat; }
    /// DatasetOptions::format
    const std::string& format() const { return format_; }
    /// Preset::use
    std::string_view presetUse() const { return isPicture() ? "fit" : "train"; }
    /// Whether some settings cannot change any more without a new start. After a failure they wait for that one.
    bool hasBegun() const {
        return state_.phase != SessionPhase::loading && state_.phase != SessionPhase::ready && state_.phase != SessionPhase::failed;
    }
    std::optional<EarlierRun> earlier;  ///< to compare with
    ViewList viewList;
    /// Time to the last step, at the recent pace; nothing while it does not train.
    std::optional<double> secondsLeft() const;
    /// Part of the GPU's time that pictures may take while training goes on.
    double pictureShare = 0.1;

    /// Takes in what training says, and the model where that is due. cost: GPU milliseconds of a frame and its picture.
    /// True when there is something new to show.
    bool update(double cost);
    /// Seconds between two frames of that cost that keep them to their share, while training goes on.
    double pause(double cost) const;
    /// The cameras' common view: what they look at.
    Extent extent() const;
    glm::dvec3 up() const;
    /// Step of the model that is shown; none yet.
    std::optional<uint32_t> shownStep() const { return shownStep_; }
    /// How often the model was taken over.
    uint64_t refreshes() const { return refreshes_; }
    /// Whether the views have just come: it is time to look at them.
    bool takeArrival();
    /// Whether training rests at a model that is not shown yet.
    bool awaitsModel() const;

private:
    bool shows(const LiveState& state) const { return shownStep_ == state.last.step && shownRemovals_ == state.removals; }
    bool refresh();
    void takeViews();
    void takeStages(const std::vector<StageCost>& means);

    struct Thumbnail {
        gpu::Buffer texels;
        gpu::Texture texture;
    };

    gpu::Device& device_;
    World& world_;
    std::filesystem::path data_, results_;
    std::string format_;
    TrainSettings applied_;
    LiveTraining live_;
    LiveState state_;
    World::Id model_;
    std::vector<LiveView> views_;
    std::vector<Camera> cameras_;
    std::vector<Thumbnail> thumbnails_;
    StageWindow window_;
    std::vector<StageHistory> stages_;
    uint64_t viewsGeneration_ = 0;
    std::optional<uint32_t> shownStep_;
    uint64_t shownRemovals_ = 0;  ///< LiveState::removals of it
    double lastRefresh_ = 0;
    uint64_t refreshes_ = 0;
    bool arrived_ = false;
};

}  // namespace splat::app
