#include "commands/train/run_report.h"

#include <fmt/ranges.h>

#include <splatwright/core/names.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/parts/pose_settings.h>
#include <splatwright/train/session/run_files.h>
#include <splatwright/train/step/training_costs.h>
#include "commands/standard_output.h"
#include "commands/train/resume_line.h"
#include "commands/train/run_plan.h"

namespace splat::app {

void printSummary(const RunSummary& summary, const RunPlan& plan) {
    const TrainingCosts& costs = summary.costs;
    const bool complete = summary.complete();
    const std::string rate =
        costs.millisecondsPerStep > 0 ? fmt::format(" ({:.2f} ms each after the first)", costs.millisecondsPerStep) : "";
    output("{}steps   {} in {:.1f} s{}, {:.1f} s in all\n", complete ? "" : "interrupted\n", costs.steps, costs.seconds, rate,
           summary.totalSeconds);
    output("splats  {}\n", summary.splats);
    if (!summary.evaluation.views.empty()) {
        const bool ofScene = trainedKind(summary.settings).subject == SettingUse::scenes;
        const std::string views = ofScene ? fmt::format(" on {} test views", summary.evaluation.views.size()) : "";
        output("PSNR    {:.2f} dB{}\nSSIM    {:.4f}\n", summary.evaluation.psnr, views, summary.evaluation.ssim);
    }
    if (!summary.own.line.empty()) output("{}\n", summary.own.line);
    const std::filesystem::path folder = plan.options.out;
    std::vector<std::string> files{kSplatsFile, kMetricsFile, kLogFile, kCheckpointFile};
    if (summary.settings.of<PoseSettings>().refinePoses) files.emplace_back(kCamerasFile);
    files.insert(files.end(), summary.own.files.begin(), summary.own.files.end());
    if (complete) files.emplace_back(kStripFile);
    output("files   {}: {}\n", printable(folder.string()), fmt::join(files, ", "));
    for (const Rollback& r : summary.rollbacks) output("rolled back from step {} to step {}: {}\n", r.from, r.to, r.problem);
    if (const std::string warning = summary.warning(); !warning.empty()) output("warning {}\n", warning);
    if (!complete) output("resume  {}\n", resumeLine(plan.options.again, folder / kCheckpointFile));
}

void saveResult(const RunPlan& plan) {
    if (plan.options.save.empty()) return;
    writeSplats(plan.options.save, readSplats(std::filesystem::path(plan.options.out) / kSplatsFile));
    output("saved   {}\n", printable(plan.options.save));
}

std::string savedText(const SavedFiles& saved) {
    std::string text;
    if (saved.splatsStep) text = fmt::format("the splats of step {} are in {}; ", *saved.splatsStep, saved.splats.string());
    if (saved.checkpoint.empty()) return text + "there is no checkpoint yet (--checkpoint-every)";
    const std::string which = saved.checkpointStep ? fmt::format(", of step {}, is", *saved.checkpointStep) : " is still";
    return text + fmt::format("the last checkpoint{} {}: --resume goes on from it", which, saved.checkpoint.string());
}

}  // namespace splat::app
