#include "commands/bench/suite_run.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/ranges.h>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/core/settings.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/session/resume.h>
#include <splatwright/train/session/run_files.h>
#include <splatwright/train/settings/passes.h>
#include <splatwright/train/watch/growth_report.h>
#include "commands/bench/suite_data.h"
#include "viewer/files/build_version.h"

namespace splat::app {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;

constexpr uint32_t kEvaluations = 8;

SuiteRun planRun(const Suite& suite, const fs::path& out, const SuiteScene& scene, const SuitePreset& preset, uint32_t seed) {
    SuiteRun run;
    run.name = fmt::format("{}/{}/seed-{}", scene.name, preset.name, seed);
    run.options.data = dataPathOf(scene, out).string();
    run.options.out = (out / run.name).string();
    run.options.reading = scene.reading;
    run.options.preset = preset.preset;
    TrainSettings own;
    const auto fields = settingFields(own);
    for (const std::string& name : settingsFromJson(fields, suite.settingsOf(scene, preset, seed), "settings"))
        run.options.assignments.push_back(fmt::format("{}={}", name, settingText(findSetting(fields, name, "settings"))));
    try {
        run.settings = resolveSettings(run.options.request());
    } catch (const InputError& problem) {
        throw InputError("{}: {}: {}", suite.file.string(), run.name, problem.what());
    }
    // Each evaluation is at twice the steps of the one before. A run that max_passes limits has only those up to its end.
    std::set<uint32_t> steps;
    for (uint32_t halvings = 0; halvings < kEvaluations; ++halvings) steps.insert(std::max(1u, run.settings.steps >> halvings));
    run.options.evalAt = {steps.begin(), steps.end()};
    return run;
}

/// The file's contents; null if it is missing or no JSON, as an earlier run that was killed may leave it.
json readOrNull(const fs::path& path) {
    try {
        return mayExist(path) ? readJson(path) : json();
    } catch (const InputError&) {
        return {};
    }
}

/// Whether the results have everything that tables and pages of a suite show.
bool isReadable(const json& metrics, const SuiteRun& run) {
    const auto isText = [](const json& object, const char* key) { return object.contains(key) && object[key].is_string(); };
    if (!metrics.is_object() || !isText(metrics, "device") || !isText(metrics, "version")) return false;
    try {
        figuresOf(metrics, run.name);
    } catch (const InputError&) {
        return false;
    }
    return std::ranges::all_of(metrics["views"], [&](const json& view) { return isText(view, "name"); });
}

bool isComplete(const SuiteRun& run) {
    const json metrics = readOrNull(run.file(kMetricsFile));
    if (!isReadable(metrics, run)) return false;
    const json views = metrics.value("training_views", json());
    const ScheduleLimits limits{views.is_number_unsigned() ? views.get<size_t>() : 0, growthEndIn(metrics)};
    const uint32_t steps = shortened(run.settings, limits).steps;
    return metrics.value("steps", json()) == json(steps) && metrics.value("settings", json()) == settingsOf(run);
}

bool isResumable(const SuiteRun& run) {
    if (!mayExist(run.file(kCheckpointFile))) return false;
    try {
        const Checkpoint checkpoint = readCheckpoint(run.file(kCheckpointFile));
        const uint32_t steps = shortened(run.settings, {trainingViewsOf(checkpoint), growthEndIn(checkpoint.header)}).steps;
        return checkpoint.value<uint32_t>("step") < steps && checkpoint.value<json>("settings") == settingsOf(run) &&
               checkpoint.value<std::string>("version") == programVersion();
    } catch (const InputError&) {
        return false;
    }
}

}  // namespace

json settingsOf(const SuiteRun& run) {
    TrainSettings settings = run.settings;
    return settingsToJson(settingFields(settings));
}

fs::path dataPathOf(const SuiteScene& scene, const fs::path& out) { return scene.synth ? out / kSuiteDataFolder / scene.name : scene.data; }

std::vector<SuiteRun> planSuite(const Suite& suite, const fs::path& out) {
    std::vector<json> data;
    for (const SuiteScene& scene : suite.scenes) data.push_back(describeSuiteData(scene, dataPathOf(scene, out)));
    std::vector<SuiteRun> runs;
    for (size_t seed = 0; seed < suite.seeds.size(); ++seed) {
        for (size_t scene = 0; scene < suite.scenes.size(); ++scene) {
            for (size_t preset = 0; preset < suite.presets.size(); ++preset) {
                SuiteRun& run = runs.emplace_back(planRun(suite, out, suite.scenes[scene], suite.presets[preset], suite.seeds[seed]));
                std::tie(run.scene, run.preset, run.seed) = std::tuple(scene, preset, seed);
                run.data = data[scene];
            }
        }
    }
    return runs;
}

RunState stateOf(const SuiteRun& run) {
    if (readOrNull(run.file(kRunDataFile)) != run.data) return RunState::fresh;
    if (isComplete(run)) return RunState::complete;
    return isResumable(run) ? RunState::resumable : RunState::fresh;
}

std::vector<std::string> trainArguments(const SuiteRun& run, RunState state) {
    const TrainOptions& options = run.options;
    std::vector<std::string> words{options.data, "--out", options.out, fmt::format("--eval-at={}", fmt::join(options.evalAt, ","))};
    const auto add = [&](const char* option, const std::string& value) {
        if (!value.empty()) words.push_back(fmt::format("{}={}", option, value));
    };
    add("--preset", options.preset);
    add("--dataset", options.reading.format);
    add("--images", options.reading.images.string());
    for (const std::string& assignment : options.assignments) add("--set", assignment);
    if (state == RunState::resumable) {
        add("--resume", run.file(kCheckpointFile).string());
    } else {
        words.emplace_back("--force");
    }
    return words;
}

json metricsOf(const SuiteRun& run) { return readJson(run.file(kMetricsFile)); }

}  // namespace splat::app
