#include "commands/training_run.h"

#include <iostream>
#include <utility>

#include "commands/camera_file.h"
#include "commands/run_files.h"
#include "commands/train_settings.h"
#include "core/file.h"
#include "gpu/check.h"
#include "scene/formats/ply.h"
#include "scene/image_file.h"

namespace splat::app {

namespace fs = std::filesystem;

TrainingRun::TrainingRun(Context& context, const TrainOptions& options) : context_(context), options_(options) {
    if (!options_.resume.empty()) {
        resumed_.emplace(readCheckpoint(options_.resume));
        earlier_ = historyOf(*resumed_);
    }
    settings_ = resumed_ ? resumedSettings(options_, *resumed_) : resolveSettings(options_);
    checkSteps();
    evaluations_.insert(options_.evalAt.begin(), options_.evalAt.end());
    evaluations_.insert(settings_.steps);
    if (!options_.force && !goesOnInPlace()) refuseToOverwrite(options_.out, kRunFiles);
    if (!nothingToDo()) load();
}

/// Whether the run goes on in the folder that it began in.
bool TrainingRun::goesOnInPlace() const {
    std::error_code ignored;
    return resumed_ && fs::equivalent(fs::absolute(options_.resume).parent_path(), options_.out, ignored);
}

void TrainingRun::checkSteps() const {
    const auto check = [&](const char* option, uint32_t step) {
        if (step < 1 || step > settings_.steps)
            throw InputError("{}: found step {}, expected 1 to {} (--steps)", option, step, settings_.steps);
    };
    for (const uint32_t step : options_.evalAt) check("--eval-at", step);
    if (context_.options().capture > 0) check("--capture", context_.options().capture);
}

void TrainingRun::load() {
    const Dataset dataset = loadDataset(options_.data, {.images = options_.images});
    context_.device();  // so that nothing is made for a run without one
    out_.emplace(options_.out);
    if (context_.options().capture > 0) capture_.emplace(*out_ / fmt::format("step_{}", context_.options().capture));
    loadData(dataset);
    data_ = describeData(loaded_);
    if (resumed_) checkSameData(*resumed_, data_);
    makeTrainer();
}

void TrainingRun::loadData(const Dataset& dataset) {
    std::optional<Progress> shown;
    const auto progress = [&](Split split, size_t done, size_t total) {
        if (done == 0) shown.emplace(std::cerr, context_.progressStyle(), split == Split::train ? "training views" : "test views", total);
        shown->update(done);
        if (done == total) shown->finish();
    };
    loaded_ = loadTrainingData(dataset, settings_, {.progress = progress});
    loaded_.path = options_.data;
}

void TrainingRun::makeTrainer() {
    const Gaussians start = startOf(loaded_, settings_);
    std::vector<Photograph> views =
        loaded_.test.empty() ? loaded_.train : std::exchange(loaded_.train, {});  // the strip shows test views first
    trainer_.emplace(context_.device(), context_.sort(), settings_, start, std::move(views), kFrameExtent);
    if (!resumed_) return;
    const auto device = resumed_->value<std::string>("device");
    if (device != context_.device().name()) {
        spdlog::warn("{} was made on '{}': on '{}' the run goes on as well, but not to the same bits", options_.resume, device,
                     context_.device().name());
    }
    trainer_->restore(*resumed_);
    resumed_->sections.clear();  // they are on the GPU now
}

Exit TrainingRun::run() {
    if (nothingToDo()) {
        fmt::print("{}: all {} steps are done, there is nothing to do; --steps with a larger number goes on\n", options_.resume,
                   settings_.steps);
        return Exit::done;
    }
    try {
        train();
        stopped_ = interrupted();
        save();
    } catch (const gpu::DeviceLost& problem) {
        throw gpu::DeviceLost("{}; {}", problem.what(), lastCheckpoint());
    } catch (const Error& problem) {
        throw Error("{}; {}", problem.what(), rescue());
    }
    return stopped_ ? Exit::interrupted : Exit::done;
}

void TrainingRun::openLog() {
    std::string lines;
    if (resumed_) lines = logUntil(fs::path(options_.resume).parent_path() / kLogFile, trainer_->stepsDone());
    if (goesOnInPlace()) {
        removeTemporaries(out_->path());
    } else {
        removeRun(out_->path());
    }
    log_.emplace(*out_ / kLogFile, lines);
}

void TrainingRun::train() {
    checkpoints_.emplace(*out_ / kCheckpointFile);
    openLog();
    interrupt_.emplace();
    progress_.emplace(std::cerr, context_.progressStyle(), "training", settings_.steps);
    progress_->startAt(trainer_->stepsDone());
    while (trainer_->stepsDone() < settings_.steps && !interrupted()) {
        trainUntil(nextStop());
        if (!interrupted()) stopAt(trainer_->stepsDone());
    }
    progress_->finish();
}

/// The next step after which training pauses.
uint32_t TrainingRun::nextStop() const {
    const uint32_t done = trainer_->stepsDone(), every = settings_.checkpointEvery;
    const uint32_t evaluation = *evaluations_.upper_bound(done);
    return every == 0 ? evaluation : std::min(evaluation, (done / every + 1) * every);
}

void TrainingRun::stopAt(uint32_t step) {
    if (evaluations_.contains(step)) evaluateNow();
    const uint32_t every = settings_.checkpointEvery;
    if (every > 0 && step % every == 0 && step < settings_.steps) saveCheckpoint();
}

void TrainingRun::trainUntil(uint32_t step) {
    const uint32_t captured = context_.options().capture;
    if (capture_ && captured > trainer_->stepsDone() && captured <= step) {
        runSteps(captured - 1);
        if (!interrupted()) fmt::print("{}\n", trainer_->captureStep(*capture_).string());
    }
    runSteps(step);
}

void TrainingRun::runSteps(uint32_t until) {
    clock_.restart(trainer_->stepsDone());
    if (!interrupted()) trainer_->run(until, [&](const StepReport& report) { return onStep(report); });
}

/// Called for every step, while the GPU works on later ones: nothing here may take long. The log line of a step that is evaluated waits for
/// what that says.
bool TrainingRun::onStep(const StepReport& report) {
    last_ = report;
    millisecondsPerStep_ = clock_.lap(report.step);
    if (report.step % settings_.logEvery == 0 && !evaluations_.contains(report.step)) writeLog({});
    if (progress_->due()) progress_->update(report.step, details());
    return !interrupted();
}

std::string TrainingRun::details() const {
    std::string text = fmt::format("loss {:.4f}  {} splats  {:.2f} ms/step", last_.loss, last_.gaussians, millisecondsPerStep_);
    if (!evaluation_.views.empty()) text += fmt::format("  PSNR {:.2f}", evaluation_.psnr);
    return text;
}

void TrainingRun::writeLog(std::optional<double> psnr) {
    log_->write(
        {.step = last_.step, .loss = last_.loss, .splats = last_.gaussians, .millisecondsPerStep = millisecondsPerStep_, .psnr = psnr});
}

/// Renders in the memory that training's steps work in, so that both never stand beside each other.
void TrainingRun::draw(const std::function<void(Renderer&)>& work) {
    trainer_->releaseFrame();
    Renderer renderer(context_.device(), context_.sort());
    work(renderer);
}

void TrainingRun::evaluateNow() {
    if (loaded_.test.empty()) {
        writeLog({});
    } else {
        draw([&](Renderer& renderer) { evaluation_ = evaluate(renderer, evaluated(), loaded_.test); });
        writeLog(evaluation_.psnr);
    }
    progress_->update(trainer_->stepsDone(), details());
}

/// Up to now.
RunHistory TrainingRun::history() const {
    return {.trainSeconds = earlier_.trainSeconds + trainer_->costs().seconds,
            .totalSeconds = earlier_.totalSeconds + std::chrono::duration<double>(Clock::now() - begin_).count(),
            .resumedFrom = earlier_.resumedFrom};
}

/// Copies the state from the device; the file is written while training goes on.
void TrainingRun::saveCheckpoint() {
    Checkpoint checkpoint = trainer_->checkpoint();
    describeRun(checkpoint,
                {.version = SPLAT_VERSION, .device = context_.device().name(), .history = history(), .settings = settings_, .data = data_});
    checkpoints_->write(std::move(checkpoint), trainer_->stepsDone());
}

/// For the message of a run that failed.
std::string TrainingRun::lastCheckpoint() {
    try {
        checkpoints_->finish();
    } catch (const Error& problem) {
        spdlog::error("{}", problem.what());
    }
    const auto found = checkpoints_->written();
    if (found)
        return fmt::format("the last checkpoint, of step {}, is {}: --resume goes on from it", *found, checkpoints_->path().string());
    if (resumed_) return fmt::format("the last checkpoint is still {}: --resume goes on from it", options_.resume);
    return "there is no checkpoint yet (--checkpoint-every)";
}

/// Saves the splats, where the failure left a device to read them from, and says what there is.
std::string TrainingRun::rescue() {
    std::string text;
    try {
        if (trainer_->stepsDone() > 0) {
            saveSplats();
            text = fmt::format("the splats of step {} are in {}; ", trainer_->stepsDone(), (*out_ / kSplatsFile).string());
        }
    } catch (const Error& problem) {
        spdlog::error("{}", problem.what());
    }
    return text + lastCheckpoint();
}

/// The checkpoint comes last: one that says that everything is done lies beside the results.
void TrainingRun::save() {
    const size_t splats = saveSplats();
    if (settings_.refinePoses) saveCameras();
    if (!stopped_) {
        const auto& views = loaded_.test.empty() ? loaded_.train : loaded_.test;
        draw([&](Renderer& renderer) { writePng(*out_ / kStripFile, comparisonStrip(renderer, evaluated(), views)); });
    }
    const RunHistory all = history();
    RunSummary summary{.settings = settings_,
                       .evaluation = evaluation_,
                       .costs = trainer_->costs(),
                       .splats = splats,
                       .totalSeconds = all.totalSeconds,
                       .resumedFrom = all.resumedFrom,
                       .peakDeviceBytes = context_.device().memoryPeak(),
                       .device = context_.device().name(),
                       .version = SPLAT_VERSION};
    summary.costs.seconds = all.trainSeconds;
    writeFileAtomically(*out_ / kMetricsFile, toJson(summary).dump(2) + "\n");
    saveCheckpoint();
    checkpoints_->finish();
    printSummary(summary);
}

size_t TrainingRun::saveSplats() const {
    const Gaussians gaussians = fromFrame(loaded_.frame, trainer_->model().download(context_.device(), trainer_->shDegree()));
    writePly(*out_ / kSplatsFile, gaussians);
    return gaussians.count();
}

/// The training cameras where they ended, in the dataset's frame, as `render --camera` reads them.
void TrainingRun::saveCameras() const {
    std::vector<NamedView> views;
    for (const Camera& camera : trainer_->movedCameras()) {
        fs::path name = data_.at("views").at(views.size()).at("name").get<std::string>();
        views.push_back({name.replace_extension().string(), fromFrame(loaded_.frame, camera)});
    }
    writeCameraFile(*out_ / kCamerasFile, views);
}

void TrainingRun::printSummary(const RunSummary& summary) const {
    const TrainingCosts& costs = summary.costs;
    fmt::print("{}steps   {} in {:.1f} s ({:.2f} ms each), {:.1f} s in all\n", stopped_ ? "interrupted\n" : "", costs.steps, costs.seconds,
               1000 * costs.seconds / std::max(1u, costs.steps), summary.totalSeconds);
    fmt::print("splats  {}\n", summary.splats);
    if (!evaluation_.views.empty()) {
        fmt::print("PSNR    {:.2f} dB on {} test views\nSSIM    {:.4f}\n", evaluation_.psnr, evaluation_.views.size(), evaluation_.ssim);
    }
    fmt::print("files   {}: {}, {}, {}, {}{}{}\n", options_.out, kSplatsFile, kMetricsFile, kLogFile, kCheckpointFile,
               settings_.refinePoses ? fmt::format(", {}", kCamerasFile) : "", stopped_ ? "" : fmt::format(", {}", kStripFile));
}

}  // namespace splat::app
