#include "commands/train/training_run.h"

#include <cmath>
#include <iostream>

#include <splatwright/core/names.h>
#include <splatwright/core/platform/program.h>
#include <splatwright/gpu/check.h>
#include "commands/standard_output.h"
#include "commands/train/run_heading.h"
#include "commands/train/run_report.h"

namespace splat::app {

TrainingRun::TrainingRun(Context& context, const TrainOptions& options)
    : context_(context), plan_(planRun(options, context.options().capture)) {}

Exit TrainingRun::run() {
    if (plan_.nothingToDo()) {
        printNothingToDo(plan_);
        return Exit::done;
    }
    tellStart(plan_);
    SessionOptions options = plan_.session(*this);
    options.dataset = loadDataset(options.data, options.reading);
    gpu::Device& device = context_.device();  // before the session, so that no folder is created for a run without a device
    tellDevice(device, plan_);
    options.captureStep = context_.options().capture;
    session_.emplace(device, std::move(options));
    const auto summary = train();
    if (!summary) {
        output("interrupted before the first step, nothing was written\n");
        return interrupt_.exit();
    }
    printSummary(*summary, plan_);
    saveResult(plan_);
    return summary->complete() ? Exit::done : interrupt_.exit();
}

/// Problems of training say what has been saved; those before it are reported as they are.
std::optional<RunSummary> TrainingRun::train() {
    try {
        auto summary = session_->run();
        finishProgress();
        return summary;
    } catch (const gpu::DeviceLost& problem) {
        finishProgress();
        if (!saved_) throw;
        throw gpu::DeviceLost("{}; {}", problem.what(), savedText(*saved_));
    } catch (const Error& problem) {
        finishProgress();
        if (!saved_) throw;
        throw Error("{}; {}", problem.what(), savedText(*saved_));
    }
}

void TrainingRun::onLoading(Split split, size_t done, size_t total) {
    interrupt_.check();
    if (loading_ != split)
        progress_.emplace(std::cerr, context_.progressStyle(), split == Split::train ? "training views" : "test views", total);
    loading_ = split;
    progress_->update(done);
    if (done == total) progress_->finish();
}

void TrainingRun::onData(const TrainingData& data, const TrainSettings& /*settings*/) {
    plan_.options.isPicture() ? tellPicture(data) : tellDataset(data);
}

void TrainingRun::onStart(uint32_t step, const TrainSettings& settings) {
    progress_.emplace(std::cerr, context_.progressStyle(), "training", settings.steps);
    progress_->startAt(step);
    progress_->announce("compiling kernels");
    if (interrupt_.requested()) session_->stop();
}

void TrainingRun::onStep(const StepReport& report, double millisecondsPerStep) {
    if (last_.step == 0) progress_->startAt(report.step);  // up to here kernels were compiled
    last_ = report;
    if (report.step == plan_.options.holdAt) platform::holdProcess();
    millisecondsPerStep_ = millisecondsPerStep;
    if (progress_->due()) progress_->update(report.step, details());
    if (interrupt_.requested()) session_->stop();
}

/// Growth has ended early: fewer steps follow, from an earlier one.
void TrainingRun::onChange(const TrainSettings& settings) {
    progress_->finish();
    progress_.emplace(std::cerr, context_.progressStyle(), "training", settings.steps);
    progress_->startAt(session_->stepsDone());
}

void TrainingRun::onCapture(const std::filesystem::path& file) { output("{}\n", printable(file.string())); }

void TrainingRun::onEvaluation(uint32_t step, const Evaluation& evaluation) {
    evaluation_ = evaluation;
    progress_->update(step, details());
}

void TrainingRun::onProblem(const std::string& problem) { spdlog::warn("{}", problem); }

void TrainingRun::onRescue(const SavedFiles& saved) { saved_ = saved; }

void TrainingRun::finishProgress() {
    if (last_.step == 0) return;
    progress_->update(session_->stepsDone(), details());
    progress_->finish();
}

std::string TrainingRun::details() const {
    if (last_.step == 0) return {};
    std::string text = fmt::format("loss {:.4f}  {} splats", last_.loss, last_.gaussians);
    if (std::isfinite(millisecondsPerStep_)) text += fmt::format("  {:.2f} ms/step", millisecondsPerStep_);
    if (!evaluation_.views.empty()) text += fmt::format("  PSNR {:.2f}", evaluation_.psnr);
    return text;
}

}  // namespace splat::app
