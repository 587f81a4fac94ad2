#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <splatwright/device.h>
#include <splatwright/error.h>
#include <splatwright/scene.h>

/// Training of splats on a dataset, step by step, with the results of `splatwright train`.
///
///     splatwright::Training training(device, {.data = "dataset", .settings = {{"steps", "3000"}}});
///     training.run([](const splatwright::TrainStep& step) { return step.loss > 0.01; });
///     training.saveSplats("splats.ply");
namespace splatwright {

/// A setting by its name on the command line (`steps`, `sh_degree`, `lr_means`, ...), and its value as text.
struct SettingValue {
    std::string name, value;
};

struct TrainOptions {
    std::filesystem::path data;          ///< the dataset's folder
    DatasetOptions reading{};            ///< how it is read
    std::string preset;                  ///< one of trainPresets(), or a JSON file of settings; empty: `balanced`, unless a strategy is set
    std::string config;                  ///< a JSON file of settings, or metrics.json of another run; empty: none
    std::vector<SettingValue> settings;  ///< single ones, each at most once; they override `config`, which overrides `preset`
    std::filesystem::path resume;        ///< a checkpoint to continue from, with its settings and dataset; empty: start at step 0
    /// Folder for a run's files, as `splatwright train -o` writes them: splats, checkpoints, metrics.json, log.jsonl. Empty: none is written.
    std::filesystem::path folder;
    bool overwrite = false;         ///< whether another run's files in the folder may be replaced
    std::set<uint32_t> evaluateAt;  ///< steps after which the test views are scored, besides the last one
};

/// A setting as a run has it.
struct SettingInfo {
    std::string name, value;
    std::string help;    ///< what it does
    std::string limits;  ///< choices, or unit and range, as --help shows them
};

/// All settings with the values that a training with these options has: those asked for, and for the others the defaults of the strategy (setting
/// `strategy`). Reads `preset`, `config` and `resume`, but not the dataset. Throws InputError for a setting that is unknown, given twice, out of range
/// or against another, and for one that a resumed run cannot change.
std::vector<SettingInfo> trainSettings(const TrainOptions& options = {});

/// Names of the presets that the library contains.
std::vector<std::string> trainPresets();

/// A finished step.
struct TrainStep {
    uint32_t step = 0;        ///< steps done, 1 to `steps`
    uint32_t steps = 0;       ///< of the whole run
    double loss = 0;          ///< what the step minimised
    uint32_t splats = 0;      ///< in the model
    uint32_t visible = 0;     ///< of them, in the step's view
    double milliseconds = 0;  ///< mean wall time of recent steps; NaN for the first, which waits for kernels to be compiled
};

/// Means over the test views; NaN without any.
struct Scores {
    size_t views = 0;
    double psnr = 0;  ///< dB
    double ssim = 0;  ///< at most 1
};

/// Result of a training, as in metrics.json.
struct TrainSummary {
    uint32_t steps = 0;       ///< done
    bool complete = false;    ///< whether they are all
    uint64_t splats = 0;      ///< that are saved
    Scores scores;            ///< of the last evaluation; no views if there was none
    double trainSeconds = 0;  ///< wall time of the steps, also of those before a resume
    double totalSeconds = 0;  ///< with loading, evaluation and writing
    uint64_t peakMemory = 0;  ///< bytes of device memory
};

/// A training. Members are for one thread at a time, except stop(). Within a callback only stepsDone(), steps() and stop() may be called; others
/// throw InputError. After OutOfMemory, DeviceLost, or an exception of the callback the training has failed, and all but the destructor throw.
class Training {
public:
    /// Called after each step, while the device works on later ones, so it should be quick. False ends run(): steps that are already on their way (about a
    /// quarter of a second of work, at least two steps) are still done, but not reported. What it throws ends the training and is passed on.
    using OnStep = std::function<bool(const TrainStep& step)>;

    /// Resolves the settings, reads the dataset with all its images, and is ready at step 0 or that of the checkpoint. Throws InputError for options,
    /// files and datasets that are not valid, if the folder has another run or one that is going on, and if a checkpoint is of another dataset;
    /// OutOfMemory.
    Training(Device& device, const TrainOptions& options);
    /// Drops what is not saved; finish() before it completes the files of the folder.
    ~Training();
    Training(const Training&) = delete;
    Training& operator=(const Training&) = delete;

    /// Trains until this many steps are done in all, or all are, or the callback or stop() ends it; returns the steps done. In several parts the
    /// result is the same, with `deterministic` to the last bit. Throws Diverged, OutOfMemory or DeviceLost; `folder` then has the last sound
    /// splats and checkpoint.
    uint32_t run(uint32_t untilStep, const OnStep& onStep = {});
    /// Trains to the last step.
    uint32_t run(const OnStep& onStep = {});
    /// Ends the run() in progress like the callback's `false`. For any thread.
    void stop();

    uint32_t stepsDone() const;
    uint32_t steps() const;  ///< of the whole run: the setting, or fewer if `max_passes` says so or growth ends early (`withhold`)
    bool complete() const { return stepsDone() >= steps(); }

    /// Draws the splats as they are after the last step, over the setting `background`, from a camera in the dataset's frame. Throws InputError for a
    /// camera as Camera says.
    Image8 render(const Camera& camera);
    /// Scores the test views; with `folder` also into log.jsonl.
    Scores evaluate();
    /// The splats as they are after the last step, in the dataset's frame, without those that cannot be drawn.
    Splats splats() const;

    /// Writes splats() in the format of the extension. Throws InputError if there is none; Error if the file cannot be written, and training may continue.
    void saveSplats(const std::filesystem::path& path);
    /// Writes a checkpoint for TrainOptions::resume, from which training continues as if it had not ended. Throws Error if the file cannot be
    /// written, and training may continue; Diverged.
    void saveCheckpoint(const std::filesystem::path& path);

    /// Completes the files of `folder`: of a run with steps left, a checkpoint to resume from. Training may continue after it.
    TrainSummary finish();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace splatwright
