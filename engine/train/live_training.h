#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scene/dataset.h"
#include "scene/placement.h"
#include "train/checkpoint.h"
#include "train/live_history.h"
#include "train/trainer.h"

namespace splat {

class LiveObserver;

struct LiveOptions {
    std::filesystem::path data;    ///< the dataset
    DatasetOptions reading;        ///< how it is read
    TrainSettings settings;
    double queueAhead = 25;            ///< milliseconds of steps that may lie in the queue before a picture
    std::set<uint32_t> evaluateAt;     ///< steps after which to evaluate, besides the last one
    std::filesystem::path checkpoint;  ///< where `checkpoint_every` and the end write to; empty: nowhere
    std::optional<Checkpoint> resume;  ///< what the first start goes on from; its settings are `settings`
    LiveObserver* observer = nullptr;  ///< outlives the training
    std::string version;               ///< the program's, for checkpoints
};

enum class LivePhase {
    loading,     ///< reads the dataset
    ready,       ///< at step 0, waits for start()
    running,     ///< makes steps
    paused,      ///< waits for start(), between two steps; for reset() after training has diverged (see problem)
    evaluating,  ///< renders the test views
    finished,    ///< all steps are done; more settings.steps and start() go on
    failed,      ///< see problem; reset() tries again
};
std::string_view nameOf(LivePhase phase);

struct LiveEvaluation {
    uint32_t step = 0;
    double psnr = 0;  ///< dB
    double ssim = 0;
};

/// Training as it is now.
struct LiveState {
    LivePhase phase = LivePhase::loading;
    std::string problem;  ///< why it failed, or what became of the last command that was refused or went wrong
    uint64_t problems = 0;  ///< how many there were
    uint32_t pending = 0;   ///< commands that are not done
    std::string loading;  ///< what is being read
    double loaded = 0;    ///< how much of that, 0..1
    TrainSettings settings;
    StepReport last;  ///< the last step that is known to be done
    int shDegree = 0;
    double millisecondsPerStep = 0;
    std::vector<std::pair<std::string, double>> stages;  ///< GPU milliseconds a step, lately
    std::vector<LivePoint> history;
    std::vector<LiveEvaluation> evaluations;
    std::optional<uint32_t> checkpointStep;  ///< of the last checkpoint that is whole on disk
    uint32_t savedStep = 0;                  ///< the last one of which there is a file, splats or all; 0: none
    uint64_t dataGeneration = 0;             ///< another one when views() has changed; 0: there are none yet
    Placement placement;                     ///< takes the model's frame to the dataset's, in which everything else is
};

/// A photograph of the dataset, in the dataset's frame.
struct LiveView {
    std::string name;
    Camera camera;  ///< of the photograph as it is trained on
    bool isTest = false;
    Image8 thumbnail;  ///< at most kThumbnail pixels a side
    static constexpr int kThumbnail = 160;
};

/// The model for somebody who draws it; in the training frame.
struct LiveModel {
    const GaussianModel& gaussians;
    int shDegree = 0;
    uint64_t generation = 0;    ///< recordings of another generation are no good any more
    const gpu::Buffer& growth;  ///< Trainer::growth()
};

class LiveWorker;

/// Trains on a thread of its own beside a window. Commands never block: they are done in their order, between two steps, and what becomes of
/// them is told by state(). Everything is for any thread. The destructor stops after the step under way and writes what the options name a place
/// or an observer for.
class LiveTraining {
public:
    /// Begins to load. Device and sort must outlive this.
    LiveTraining(gpu::Device& device, const primitives::RadixSort& sort, LiveOptions options);
    ~LiveTraining();
    LiveTraining(const LiveTraining&) = delete;
    LiveTraining& operator=(const LiveTraining&) = delete;

    void start();
    void pause();
    /// One step, then a pause.
    void step();
    /// A new start with these settings; photographs are only read again where the settings want others. Goes on running if it was.
    void reset(const TrainSettings& settings);
    /// Trainer::change(): refused ones leave everything as it is.
    void change(const TrainSettings& settings);
    /// Scores the test views, then goes on.
    void evaluate();
    /// Writes the splats in the dataset's frame, atomically.
    void saveSplats(const std::filesystem::path& path);
    /// Writes a checkpoint that `train --resume` goes on from, while training goes on.
    void saveCheckpoint(const std::filesystem::path& path);
    LiveState state() const;

    /// The training views and test views with thumbnails: ask again when state().dataGeneration is another.
    std::vector<LiveView> views() const;
    /// A view's photograph in full, by its place in views(); none while other ones are loaded.
    std::optional<Photograph> photograph(size_t view) const;

    /// Calls draw if there is a model. Until it returns no buffer of the model is replaced, and what it submits reads a whole state between two
    /// steps; it should record and submit, and not wait. False: there is none now.
    bool withModel(const std::function<void(const LiveModel&)>& draw);

private:
    std::unique_ptr<LiveWorker> worker_;
};

}  // namespace splat
