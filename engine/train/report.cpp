#include "train/report.h"

#include <cerrno>
#include <cmath>
#include <cstring>

#include "core/error.h"
#include "core/settings.h"

namespace splat {

namespace {

using json = nlohmann::ordered_json;  // keys in the order they are documented in

json stagesOf(const TrainingCosts& costs) {
    json stages = json::object();
    for (const auto& [name, milliseconds] : costs.stages) stages[name] = finiteOrNull(milliseconds);
    return stages;
}

}  // namespace

json finiteOrNull(double value) { return std::isfinite(value) ? json(value) : json(); }

json toJson(const Evaluation& evaluation) {
    json views = json::array();
    for (const ViewScore& view : evaluation.views) {
        views.push_back({{"name", view.name}, {"psnr", finiteOrNull(view.psnr)}, {"ssim", finiteOrNull(view.ssim)}});
    }
    const bool any = !evaluation.views.empty();
    return {
        {"psnr", any ? finiteOrNull(evaluation.psnr) : json()}, {"ssim", any ? finiteOrNull(evaluation.ssim) : json()}, {"views", views}};
}

json toJson(const RunSummary& summary) {
    TrainSettings settings = summary.settings;
    json metrics = toJson(summary.evaluation);
    metrics["steps"] = summary.costs.steps;
    metrics["splats"] = summary.splats;
    metrics["train_seconds"] = finiteOrNull(summary.costs.seconds);
    metrics["total_seconds"] = finiteOrNull(summary.totalSeconds);
    metrics["peak_device_mib"] = static_cast<double>(summary.peakDeviceBytes) / (1 << 20);
    metrics["stages"] = stagesOf(summary.costs);
    metrics["host_us_per_step"] = finiteOrNull(summary.costs.hostMicrosecondsPerStep);
    metrics["waits_in_steps"] = summary.costs.waitsInSteps;
    metrics["pacing_waits"] = summary.costs.pacingWaits;
    metrics["repeated_steps"] = summary.costs.repeatedSteps;
    metrics["device"] = summary.device;
    metrics["version"] = summary.version;
    metrics["settings"] = settingsToJson(settingFields(settings));
    return metrics;
}

TrainingLog::TrainingLog(std::filesystem::path path) : path_(std::move(path)), out_(path_, std::ios::trunc) {
    if (!out_) throw Error("{}: cannot be written: {}", path_.string(), std::strerror(errno));
}

void TrainingLog::write(const LogLine& line) {
    json object{{"step", line.step},
                {"loss", finiteOrNull(line.loss)},
                {"splats", line.splats},
                {"ms_per_step", finiteOrNull(line.millisecondsPerStep)}};
    if (line.psnr) object["psnr"] = finiteOrNull(*line.psnr);
    out_ << object.dump() << '\n' << std::flush;
    if (!out_) throw Error("{}: cannot be written: {}", path_.string(), std::strerror(errno));
}

}  // namespace splat
