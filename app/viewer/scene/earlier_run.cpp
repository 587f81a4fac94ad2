#include "viewer/scene/earlier_run.h"

#include <sstream>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/names.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/train/session/run_files.h>

namespace splat::app {

namespace {

namespace fs = std::filesystem;

/// A number of a line; 0 where it has none, as of the first step's time.
float numberOf(const nlohmann::json& line, const char* key) {
    const auto found = line.find(key);
    return found != line.end() && found->is_number() ? found->get<float>() : 0;
}

/// Forgets what comes after a step, which a rollback has undone.
void rollBack(EarlierRun& run, uint32_t step) {
    while (!run.steps.empty() && run.steps.back() > step) {
        for (auto* const values : {&run.losses, &run.splats, &run.milliseconds}) values->pop_back();
        run.steps.pop_back();
    }
    while (!run.evaluatedSteps.empty() && run.evaluatedSteps.back() > step) {
        run.evaluatedSteps.pop_back();
        run.psnr.pop_back();
    }
}

void add(EarlierRun& run, const nlohmann::json& line) {
    const auto step = line.is_object() && line.contains("step") ? wholeNumber<uint32_t>(line["step"]) : std::nullopt;
    if (!step || !line.contains("loss")) return;
    if (const auto to = line.find("rolled_back_to"); to != line.end()) return rollBack(run, wholeNumber<uint32_t>(*to).value_or(*step));
    if (!run.steps.empty() && *step <= run.steps.back()) return;  // steps of a plot increase
    run.steps.push_back(*step);
    run.losses.push_back(numberOf(line, "loss"));
    run.splats.push_back(numberOf(line, "splats"));
    run.milliseconds.push_back(numberOf(line, "ms_per_step"));
    if (!line.contains("psnr")) return;
    run.evaluatedSteps.push_back(*step);
    run.psnr.push_back(numberOf(line, "psnr"));
}

}  // namespace

EarlierRun readEarlierRun(const fs::path& path) {
    std::error_code ignored;
    const fs::path file = fs::is_directory(path, ignored) ? path / kLogFile : path;
    EarlierRun run{.name = printable(fs::absolute(file).parent_path().filename().string())};
    std::istringstream lines(readTextFile(file));
    for (std::string line; std::getline(lines, line);) {
        try {
            add(run, parseJson(line, file.string()));
        } catch (const InputError&) {  // incomplete
        }
    }
    if (run.steps.empty()) throw InputError("{}: no line has a step and a loss, expected a run's log.jsonl", file.string());
    return run;
}

}  // namespace splat::app
