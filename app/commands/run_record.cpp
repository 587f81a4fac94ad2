#include "commands/run_record.h"

#include <algorithm>
#include <utility>

#include "commands/resume_line.h"
#include "commands/run_files.h"
#include "commands/standard_output.h"
#include "core/file.h"
#include "core/names.h"
#include "scene/formats/ply.h"
#include "scene/image_file.h"
#include "scene/usable.h"
#include "viewer/camera_file.h"

namespace splat::app {

namespace fs = std::filesystem;

RunRecord::RunRecord(gpu::Device& device, const primitives::RadixSort& sort, const RunPlan& plan)
    : device_(device), sort_(sort), plan_(plan), folder_(plan.options.out), lock_(folder_.path()) {
    checkFolder(plan);  // once more: another run may have come and gone since the plan was made
}

void RunRecord::begin(uint32_t stepsDone, const TrainingFrame& frame, nlohmann::ordered_json data) {
    frame_ = frame;
    data_ = std::move(data);
    begunAt_ = stepsDone;
    earlier_ = stepsDone > 0 ? plan_.earlier : RunHistory{};
    evaluation_ = {};
    due_.reset();
    log_.reset();
}

void RunRecord::open() {
    if (log_) return;
    std::string lines;
    if (begunAt_ > 0) lines = logUntil(fs::path(plan_.options.resume).parent_path() / kLogFile, begunAt_);
    if (begunAt_ > 0 && plan_.goesOnInPlace()) {
        removeTemporaries(folder_.path());
    } else {
        removeRun(folder_.path());
    }
    log_.emplace(folder_ / kLogFile, lines);
}

void RunRecord::step(const StepReport& report, double millisecondsPerStep, const TrainSettings& settings) {
    open();
    finishLine();
    const bool evaluates = report.step == settings.steps || plan_.evaluations.contains(report.step);
    if (!evaluates && report.step % settings.logEvery != 0) return;
    due_ = {.step = report.step,
            .loss = report.loss,
            .splats = report.gaussians,
            .millisecondsPerStep = millisecondsPerStep,
            .psnr = {},
            .problem = {}};
    if (!evaluates) finishLine();
}

void RunRecord::diverged(const Diverged& problem, double millisecondsPerStep) {
    open();
    finishLine();
    const StepReport& r = problem.report;
    log_->write({.step = r.step,
                 .loss = r.loss,
                 .splats = r.gaussians,
                 .millisecondsPerStep = millisecondsPerStep,
                 .psnr = {},
                 .problem = problem.what()});
}

void RunRecord::evaluated(const Evaluation& evaluation) {
    evaluation_ = evaluation;
    if (due_ && !evaluation.views.empty()) due_->psnr = evaluation.psnr;
    finishLine();
}

void RunRecord::finishLine() {
    if (const auto line = std::exchange(due_, {})) log_->write(*line);
}

RunHistory RunRecord::history(const TrainingCosts& costs) const {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - plan_.begin).count();
    return {.trainSeconds = earlier_.trainSeconds + costs.seconds,
            .totalSeconds = earlier_.totalSeconds + seconds,
            .resumedFrom = earlier_.resumedFrom};
}

RunSummary RunRecord::save(Trainer& trainer, const TrainingData& data, bool complete) {
    const size_t splats = saveSplats(trainer);
    if (trainer.settings().refinePoses) saveCameras(trainer);
    if (complete) saveStrip(trainer, data);
    const RunHistory all = history(trainer.costs());
    RunSummary summary{.settings = trainer.settings(),
                       .evaluation = evaluation_,
                       .costs = trainer.costs(),
                       .splats = splats,
                       .totalSeconds = all.totalSeconds,
                       .resumedFrom = all.resumedFrom,
                       .peakDeviceBytes = device_.memoryPeak(),
                       .device = device_.name(),
                       .version = SPLAT_VERSION};
    summary.costs.seconds = all.trainSeconds;
    writeFileAtomically(folder_ / kMetricsFile, toJson(summary).dump(2) + "\n");
    return summary;
}

size_t RunRecord::saveSplats(const Trainer& trainer) {
    open();
    finishLine();
    const Gaussians gaussians = fromFrame(frame_, usableOnly(trainer.model().download(device_, trainer.shDegree())));
    writePly(folder_ / kSplatsFile, gaussians);
    return gaussians.count();
}

/// The training cameras where they ended, in the dataset's frame, as `render --camera` reads them.
void RunRecord::saveCameras(const Trainer& trainer) const {
    std::vector<NamedView> views;
    for (const Camera& camera : trainer.movedCameras()) {
        fs::path name = data_.at("views").at(views.size()).at("name").get<std::string>();
        views.push_back({name.replace_extension().string(), fromFrame(frame_, camera)});
    }
    writeCameraFile(folder_ / kCamerasFile, views);
}

/// Rendered in the memory that training's steps work in, so that both never stand beside each other.
void RunRecord::saveStrip(Trainer& trainer, const TrainingData& data) const {
    trainer.releaseFrame();
    Renderer renderer(device_, sort_);
    const EvaluatedModel model{trainer.model(), trainer.shDegree(), trainer.settings().background};
    writePng(folder_ / kStripFile, comparisonStrip(renderer, model, data.test.empty() ? data.train : data.test));
}

void RunRecord::print(const RunSummary& summary, bool complete) const {
    const TrainingCosts& costs = summary.costs;
    const std::string rate = costs.millisecondsPerStep > 0 ? fmt::format(" ({:.2f} ms each after the first)", costs.millisecondsPerStep) : "";
    output("{}steps   {} in {:.1f} s{}, {:.1f} s in all\n", complete ? "" : "interrupted\n", costs.steps, costs.seconds, rate,
           summary.totalSeconds);
    output("splats  {}\n", summary.splats);
    if (!summary.evaluation.views.empty()) {
        output("PSNR    {:.2f} dB on {} test views\nSSIM    {:.4f}\n", summary.evaluation.psnr, summary.evaluation.views.size(),
               summary.evaluation.ssim);
    }
    output("files   {}: {}, {}, {}, {}{}{}\n", printable(folder_.path().string()), kSplatsFile, kMetricsFile, kLogFile, kCheckpointFile,
           summary.settings.refinePoses ? fmt::format(", {}", kCamerasFile) : "", complete ? fmt::format(", {}", kStripFile) : "");
    if (!complete) output("resume  {}\n", resumeLine(plan_.options.again, folder_ / kCheckpointFile));
}

}  // namespace splat::app
