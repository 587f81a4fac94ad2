#include <splatwright/train/session/report.h>

#include <cmath>
#include <span>
#include <sstream>
#include <utility>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/finite_or_null.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/log.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/core/settings.h>
#include <splatwright/train/step/training_costs.h>

namespace splat {

namespace {

using json = nlohmann::ordered_json;  // keeps the documented order of keys

constexpr const char* kRolledBackTo = "rolled_back_to";

struct LoggedStep {
    uint64_t step = 0;
    bool rollsBack = false;
};

/// None for a line that is not an object with a step; a killed run may have left an incomplete line.
std::optional<LoggedStep> stepOf(const std::string& line, const std::filesystem::path& path) {
    try {
        const json object = parseOrderedJson(line, path.string());
        if (!object.is_object() || !object.contains("step")) return std::nullopt;
        const auto step = wholeNumber<uint64_t>(object["step"]);
        if (!step) return std::nullopt;
        return LoggedStep{*step, object.contains(kRolledBackTo)};
    } catch (const InputError&) {
        return std::nullopt;
    }
}

/// Decisions of `accumulate=auto`, oldest first.
json decisionsOf(const TrainingCosts& costs) {
    json decisions = json::array();
    for (const AccumulationDecision& d : costs.accumulations) {
        json& entry = decisions.emplace_back(json{{"step", d.step}, {"method", d.chosen.row->name}});
        if (d.chosen.row->balanced) entry["threshold"] = d.chosen.balanceThreshold;
        entry["ms"] = finiteOrNull(d.milliseconds);
        entry["next"] = nameOf(d.next);
        entry["next_ms"] = finiteOrNull(d.nextMilliseconds);
    }
    return decisions;
}

}  // namespace

json toJson(const Evaluation& evaluation) {
    json views = json::array();
    for (const ViewScore& view : evaluation.views) {
        json& entry = views.emplace_back(json{{"name", view.name}, {"psnr", finiteOrNull(view.psnr)}, {"ssim", finiteOrNull(view.ssim)}});
        if (view.lpips) entry["lpips"] = finiteOrNull(*view.lpips);
    }
    const bool any = !evaluation.views.empty();
    json object{{"psnr", any ? finiteOrNull(evaluation.psnr) : json()}, {"ssim", any ? finiteOrNull(evaluation.ssim) : json()}};
    if (evaluation.lpips) object["lpips"] = finiteOrNull(*evaluation.lpips);
    if (evaluation.flatPsnr) object["flat_psnr"] = finiteOrNull(*evaluation.flatPsnr);
    object["views"] = std::move(views);
    return object;
}

json toJson(const RunSummary& summary) {
    TrainSettings settings = summary.settings;
    json metrics = toJson(summary.evaluation);
    if (const std::string warning = summary.warning(); !warning.empty()) metrics["warning"] = warning;
    metrics["steps"] = summary.costs.steps;
    metrics["splats"] = summary.splats;
    metrics["training_views"] = summary.trainingViews;
    metrics.update(summary.own.metrics);
    metrics["train_seconds"] = finiteOrNull(summary.costs.seconds);
    metrics["total_seconds"] = finiteOrNull(summary.totalSeconds);
    metrics["peak_device_mib"] = static_cast<double>(summary.peakDeviceBytes) / (1 << 20);
    json stages = json::object();
    for (const StageCost& stage : summary.costs.stages) stages[stage.name] = finiteOrNull(stage.perStep());
    metrics["stages"] = std::move(stages);
    if (settings.accumulate == kAutomatic) metrics["accumulation"] = decisionsOf(summary.costs);
    metrics["host_us_per_step"] = finiteOrNull(summary.costs.perStep(summary.costs.hostMicroseconds));
    metrics["waits_in_steps"] = summary.costs.waitsInSteps;
    metrics["pacing_waits"] = summary.costs.pacingWaits;
    metrics["repeated_steps"] = summary.costs.repeatedSteps;
    metrics["resumed_from"] = summary.resumedFrom;
    metrics["rollbacks"] = toJson(summary.rollbacks);
    if (settings.withhold > 0) metrics["growth"] = toJson(summary.growth);
    if (summary.colourTest) metrics["colours"] = toJson(*summary.colourTest);
    metrics["device"] = summary.device;
    metrics["version"] = summary.version;
    metrics["settings"] = settingsToJson(settingFields(settings));
    return metrics;
}

std::string logUntil(const std::filesystem::path& path, const RunPosition& position) {
    std::string kept;
    size_t rollbacks = 0;
    std::istringstream lines(mayExist(path) ? readTextFile(path) : "");
    for (std::string line; std::getline(lines, line);) {
        const auto found = stepOf(line, path);
        if (!found) continue;
        if (rollbacks < position.rollbacks || found->step <= position.steps) kept += line + "\n";
        if (found->rollsBack && ++rollbacks > position.rollbacks) break;
    }
    return kept;
}

TrainingLog::TrainingLog(std::filesystem::path path, const std::string& lines) : path_(std::move(path)) {
    writeFileAtomically(path_, lines);
    std::error_code failed;
    file_ = platform::File(path_, platform::OpenFor::appending, failed);
    if (failed) throw Error("{}: cannot be written: {}", path_.string(), failed.message());
}

/// Writes as much as there is room for. Returns why something is left.
std::error_code TrainingLog::flush() {
    auto rest = std::as_bytes(std::span(waiting_));
    const std::error_code failed = file_.write(rest);
    waiting_.erase(0, waiting_.size() - rest.size());
    return failed;
}

void TrainingLog::finish() {
    if (const auto problem = flush()) throw Error("{}: cannot be written: {}", path_.string(), problem.message());
}

void TrainingLog::write(const LogLine& line) {
    json object{{"step", line.step},
                {"loss", finiteOrNull(line.loss)},
                {"splats", line.splats},
                {"ms_per_step", finiteOrNull(line.millisecondsPerStep)}};
    for (const LossShare& share : line.losses)
        object["losses"][std::string(share.name)] = {{"weight", share.weight}, {"value", finiteOrNull(share.value)}};
    if (line.health) {
        const ModelHealth& model = line.health->model;
        if (line.health->relativeError) object["relative_error"] = finiteOrNull(*line.health->relativeError);
        object["mean_opacity"] = finiteOrNull(model.meanOpacity);
        object["dead_share"] = model.deadShare;
        object["fading_share"] = model.fadingShare;
        object["large_share"] = model.largeShare;
    }
    if (line.colourDifference) object["colour_difference"] = *line.colourDifference;
    if (line.psnr) object["psnr"] = finiteOrNull(*line.psnr);
    if (line.seconds) object["seconds"] = finiteOrNull(*line.seconds);
    if (!line.problem.empty()) object["problem"] = line.problem;
    if (line.rolledBackTo) object[kRolledBackTo] = *line.rolledBackTo;
    waiting_ += jsonText(object) + "\n";
    const std::error_code problem = flush();
    if (problem && !std::exchange(warned_, true))
        spdlog::warn("{}: cannot be written: {}; its lines are kept until there is room", path_.string(), problem.message());
}

}  // namespace splat
