#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include <splatwright/core/image.h>
#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/scene/gaussians/gaussians.h>
#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/train/session/run_summary.h>
#include <splatwright/train/session/session_observer.h>
#include <splatwright/train/settings/settings.h>
#include <splatwright/train/step/training_costs.h>

namespace splat {

namespace gpu {
class Buffer;
class Device;
}  // namespace gpu
struct GaussianModel;
struct SplatWriter;
class SessionRunner;
class Trainer;

struct SessionOptions {
    std::filesystem::path data;      ///< the dataset
    DatasetOptions reading{};        ///< how it is read
    std::optional<Dataset> dataset;  ///< `data` as already read; none: the session reads it
    TrainSettings settings{};
    std::filesystem::path folder;         ///< for the run's files (session/run_files.h); empty: none are written
    bool overwrite = false;               ///< whether files of another run in the folder may be replaced
    std::filesystem::path resume;         ///< checkpoint that the first start continues from; its settings are `settings`
    std::set<uint32_t> evaluateAt;        ///< steps after which to evaluate, besides the last one
    double queueAhead = 250;              ///< milliseconds of steps that may be submitted ahead of the GPU
    uint32_t captureStep = 0;             ///< step that RenderDoc records into the folder; 0: none
    SessionObserver* observer = nullptr;  ///< must outlive the session
    std::string version;                  ///< the program's, for checkpoints and metrics
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();  ///< of the run's total seconds
};

/// The model while it is trained, in the training frame.
struct SessionModel {
    const GaussianModel& gaussians;
    int shDegree = 0;
    uint64_t generation = 0;               ///< command buffers recorded for another generation must not be submitted
    const gpu::Buffer& densifyStatistics;  ///< Trainer::densifyStatistics()
};

/// One training run from dataset to files. run() or serve() is called once and trains on the calling thread; commands may come from any thread
/// and are executed in order, between two steps. Results are for the observer's members, and for the caller once run() or serve() has returned.
class TrainingSession {
public:
    /// Creates and locks the folder. The device must outlive the session. Throws InputError if another run has the folder.
    TrainingSession(gpu::Device& device, SessionOptions options);
    ~TrainingSession();
    TrainingSession(const TrainingSession&) = delete;
    TrainingSession& operator=(const TrainingSession&) = delete;

    /// Loads, trains, evaluates and writes all files; returns after the last step or a stop(). None: stopped before the first step, and nothing
    /// is written. Throws Error if training fails, after it has saved what it can (SessionObserver::onRescue()).
    std::optional<RunSummary> run();
    /// Loads, then executes commands until stop(), also after the last step. Failures are reported to the observer.
    void serve();

    // Commands.
    void start();
    void pause();
    /// One step, then a pause.
    void step();
    /// Starts again from step 0; reads the dataset again only if the settings need other images. Continues running if it was.
    void restart(const TrainSettings& settings);
    /// Trainer::change(). Refused settings change nothing.
    void change(const TrainSettings& settings);
    /// Scores the test views, then continues.
    void evaluate();
    /// Scores the training views, then continues.
    void evaluateTrainingViews();
    /// Removes Gaussians that are farther from their neighbours than so many times the median, and trains on with the others.
    void removeFloaters(double times);
    /// Writes the splats in the dataset's frame, atomically; by default in the format of the path's extension.
    void saveSplats(const std::filesystem::path& path, const SplatWriter* writer = nullptr);
    /// Writes a checkpoint to resume from, while training continues.
    void saveCheckpoint(const std::filesystem::path& path);
    /// Calls look on the session's thread between two steps, where it may wait for the GPU; not at all if there is no trainer, or if the session ends first.
    void inspect(std::function<void(const Trainer&)> look);
    /// Ends training after the current step. Not queued: it overtakes other commands.
    void stop();
    /// Commands that are not yet executed.
    uint32_t pending() const;

    // Results.
    uint32_t stepsDone() const;
    /// The usable splats in the dataset's frame.
    Gaussians splats() const;
    /// The model from a camera in the dataset's frame, over the settings' background.
    Image8 render(const Camera& camera);
    TrainingCosts costs() const;
    int shDegree() const;

    // From any thread.
    /// A view's training or test image, training views first; camera in the dataset's frame. None for other indices, and while images are loaded.
    std::optional<Photograph> viewImage(size_t view) const;
    /// Calls draw if there is a model. Until it returns no buffer of the model is replaced, and its submissions read the model between two
    /// steps; it must not wait. False: there is no model.
    bool withModel(const std::function<void(const SessionModel&)>& draw);

private:
    std::unique_ptr<SessionRunner> runner_;
};

}  // namespace splat
