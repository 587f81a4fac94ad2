#include "commands/training_run.h"

#include <cmath>
#include <csignal>
#include <iostream>
#include <utility>

#include "commands/run_files.h"
#include "commands/run_heading.h"
#include "commands/standard_output.h"
#include "core/names.h"
#include "gpu/check.h"

namespace splat::app {

namespace {

/// Milliseconds of steps in the queue: a GPU's is always full, and a CPU's steps, which may take seconds, are reported and stopped in time.
constexpr double kQueueAhead = 250;

}  // namespace

TrainingRun::TrainingRun(Context& context, const TrainOptions& options)
    : context_(context), plan_(planRun(options, context.options().capture)) {
    if (!plan_.nothingToDo()) load();
}

void TrainingRun::load() {
    tellStart(plan_);
    const Dataset dataset = loadDataset(plan_.options.data, plan_.options.reading);
    tellChoices(dataset, static_cast<int>(plan_.settings.testEvery));
    gpu::Device& device = context_.device();  // so that nothing is made for a run without one
    tellDevice(device, plan_);
    record_.emplace(device, context_.sort(), plan_);
    const uint32_t captured = context_.options().capture;
    if (captured > 0) capture_.emplace(record_->folder() / fmt::format("step_{}", captured));
    loadData(dataset);
    tellDataset(loaded_);
    data_ = describeData(loaded_);
    if (plan_.resumed) checkSameData(*plan_.resumed, data_);
    makeTrainer();
}

void TrainingRun::loadData(const Dataset& dataset) {
    std::optional<Progress> shown;
    const auto progress = [&](Split split, size_t done, size_t total) {
        interrupt_.check();
        if (done == 0) shown.emplace(std::cerr, context_.progressStyle(), split == Split::train ? "training views" : "test views", total);
        shown->update(done);
        if (done == total) shown->finish();
    };
    loaded_ = loadTrainingData(dataset, plan_.settings, {.progress = progress});
}

void TrainingRun::makeTrainer() {
    const Gaussians start = startOf(loaded_, plan_.settings);
    std::vector<Photograph> views =
        loaded_.test.empty() ? loaded_.train : std::exchange(loaded_.train, {});  // the strip shows test views first
    trainer_.emplace(context_.device(), context_.sort(), plan_.settings, start, std::move(views), kFrameExtent);
    trainer_->setQueueAhead(kQueueAhead);
    if (!plan_.resumed) return;
    restore(*trainer_, *plan_.resumed, context_.device().name());
    plan_.resumed->sections.clear();  // they are on the GPU now
}

Exit TrainingRun::run() {
    if (plan_.nothingToDo()) {
        printNothingToDo(plan_);
        return Exit::done;
    }
    try {
        train();
        complete() ? save() : saveStopped();
    } catch (const gpu::DeviceLost& problem) {
        throw gpu::DeviceLost("{}; {}", problem.what(), lastCheckpoint());
    } catch (const Diverged& problem) {
        throw Error("{}; {}", problem.what(), backToCheckpoint(problem));
    } catch (const Error& problem) {
        throw Error("{}; {}", problem.what(), rescue());
    }
    return complete() ? Exit::done : interrupt_.exit();
}

void TrainingRun::train() {
    checkpoints_.emplace(record_->folder() / kCheckpointFile);
    record_->begin(trainer_->stepsDone(), loaded_.frame, data_);
    progress_.emplace(std::cerr, context_.progressStyle(), "training", plan_.settings.steps);
    progress_->startAt(trainer_->stepsDone());
    progress_->announce("compiling kernels");
    while (!complete() && !interrupted()) {
        trainUntil(nextStop());
        if (!interrupted() || complete()) stopAt(trainer_->stepsDone());
    }
    progress_->update(trainer_->stepsDone(), details());
    progress_->finish();
}

/// The next step after which training pauses.
uint32_t TrainingRun::nextStop() const {
    const uint32_t done = trainer_->stepsDone(), every = plan_.settings.checkpointEvery;
    const uint32_t evaluation = *plan_.evaluations.upper_bound(done);
    return every == 0 ? evaluation : std::min(evaluation, (done / every + 1) * every);
}

void TrainingRun::stopAt(uint32_t step) {
    if (plan_.evaluations.contains(step)) evaluateNow();
    const uint32_t every = plan_.settings.checkpointEvery;
    if (every > 0 && step % every == 0 && step < plan_.settings.steps) saveCheckpoint();
}

void TrainingRun::trainUntil(uint32_t step) {
    const uint32_t captured = context_.options().capture;
    if (capture_ && captured > trainer_->stepsDone() && captured <= step) {
        runSteps(captured - 1);
        if (!interrupted()) output("{}\n", printable(trainer_->captureStep(*capture_).string()));
    }
    runSteps(step);
}

void TrainingRun::runSteps(uint32_t until) {
    clock_.restart(trainer_->stepsDone());
    if (!interrupted()) trainer_->run(until, [&](const StepReport& report) { return onStep(report); });
}

/// Called for every step, while the GPU works on later ones: nothing here may take long.
bool TrainingRun::onStep(const StepReport& report) {
    if (last_.step == 0) progress_->startAt(report.step);  // up to here kernels were compiled
    last_ = report;
    if (report.step == plan_.options.holdAt) std::raise(SIGSTOP);
    millisecondsPerStep_ = clock_.lap(report.step);
    record_->step(report, millisecondsPerStep_, plan_.settings);
    if (progress_->due()) progress_->update(report.step, details());
    return !interrupted();
}

std::string TrainingRun::details() const {
    if (last_.step == 0) return {};
    std::string text = fmt::format("loss {:.4f}  {} splats", last_.loss, last_.gaussians);
    if (std::isfinite(millisecondsPerStep_)) text += fmt::format("  {:.2f} ms/step", millisecondsPerStep_);
    const Evaluation& evaluation = record_->evaluation();
    if (!evaluation.views.empty()) text += fmt::format("  PSNR {:.2f}", evaluation.psnr);
    return text;
}

/// Renders in the memory that training's steps work in, so that both never stand beside each other.
void TrainingRun::evaluateNow() {
    Evaluation evaluation;
    if (!loaded_.test.empty()) {
        trainer_->releaseFrame();
        Renderer renderer(context_.device(), context_.sort());
        evaluation = evaluate(renderer, {trainer_->model(), trainer_->shDegree(), plan_.settings.background}, loaded_.test);
    }
    record_->evaluated(evaluation);
    progress_->update(trainer_->stepsDone(), details());
}

/// Copies the state from the device; the file is written while training goes on.
void TrainingRun::saveCheckpoint() {
    Checkpoint checkpoint = trainer_->checkpoint();
    describeRun(checkpoint, {.version = SPLAT_VERSION,
                             .device = context_.device().name(),
                             .history = record_->history(trainer_->costs()),
                             .settings = plan_.settings,
                             .data = data_});
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
    if (plan_.resumed) return fmt::format("the last checkpoint is still {}: --resume goes on from it", plan_.options.resume);
    return "there is no checkpoint yet (--checkpoint-every)";
}

/// The splats of the last checkpoint take the place of those that diverged, if there is one; says what there is.
std::string TrainingRun::backToCheckpoint(const Diverged& problem) {
    progress_->finish();
    record_->diverged(problem, millisecondsPerStep_);
    const std::string text = lastCheckpoint();
    if (!checkpoints_->written()) return text;
    try {
        trainer_->restore(readCheckpoint(checkpoints_->path()));
    } catch (const Error& another) {
        spdlog::error("{}", another.what());
        return text;
    }
    return rescue();
}

/// Saves the splats, where the failure left a device to read them from, and says what there is.
std::string TrainingRun::rescue() {
    std::string text;
    try {
        if (trainer_->stepsDone() > 0) {
            record_->saveSplats(*trainer_);
            text = fmt::format("the splats of step {} are in {}; ", trainer_->stepsDone(), (record_->folder() / kSplatsFile).string());
        }
    } catch (const Error& problem) {
        spdlog::error("{}", problem.what());
    }
    return text + lastCheckpoint();
}

/// The checkpoint comes last: one that says that everything is done lies beside the results.
void TrainingRun::save() {
    const RunSummary summary = record_->save(*trainer_, loaded_, true);
    saveCheckpoint();
    checkpoints_->finish();
    record_->print(summary, true);
}

/// Here the checkpoint comes first: whoever stops a run may not wait for the rest.
void TrainingRun::saveStopped() {
    const uint32_t begunAt = plan_.resumed ? plan_.resumed->value<uint32_t>("step") : 0;
    if (trainer_->stepsDone() == begunAt) {
        output("interrupted before the first step, nothing was written\n");
        return;
    }
    saveCheckpoint();
    const RunSummary summary = record_->save(*trainer_, loaded_, false);
    checkpoints_->finish();
    record_->print(summary, false);
}

}  // namespace splat::app
