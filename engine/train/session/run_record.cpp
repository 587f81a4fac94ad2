#include <splatwright/train/session/run_record.h>

#include <utility>

#include <nlohmann/json.hpp>

#include <splatwright/core/file.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/scene/images/image_file.h>

namespace splat {

namespace fs = std::filesystem;

RunRecord::RunRecord(const fs::path& folder, fs::path resume, bool overwrite) : folder_(folder), lock_(folder), resume_(std::move(resume)) {
    const auto found = findRun(folder);
    if (found && !overwrite && !continuesIn(folder, resume_))
        throw InputError("{}: contains another run ({}), expected a new folder", folder.string(), *found);
}

void RunRecord::begin(const RunPosition& position) {
    begunAt_ = position;
    awaiting_.reset();
    log_.reset();
}

void RunRecord::open() {
    finishLine();
    if (log_) return;
    std::string lines;
    if (begunAt_.steps > 0) lines = logUntil(resume_.parent_path() / kLogFile, begunAt_);
    if (begunAt_.steps > 0 && continuesIn(folder_.path(), resume_)) {
        removeTemporaries(folder_.path());
    } else {
        removeRun(folder_.path());
    }
    log_.emplace(file(kLogFile), lines);
}

void RunRecord::finishLine() {
    if (const auto line = std::exchange(awaiting_, {})) log_->write(*line);
}

void RunRecord::step(const LogLine& line, bool awaitsEvaluation) {
    open();
    awaiting_ = line;
    if (!awaitsEvaluation) finishLine();
}

void RunRecord::evaluated(const Evaluation& evaluation, double seconds) {
    if (awaiting_ && !evaluation.views.empty()) awaiting_->psnr = evaluation.psnr;
    if (awaiting_) awaiting_->seconds = seconds;
    finishLine();
}

void RunRecord::save(const std::vector<NamedView>& cameras) { writeCameraFile(file(kCamerasFile), cameras); }

void RunRecord::save(const Image8& picture, const char* name) { writePng(file(name), picture); }

void RunRecord::save(const RunSummary& summary) {
    if (log_) log_->finish();
    writeFileAtomically(file(kMetricsFile), jsonText(toJson(summary), 2) + "\n");
}

}  // namespace splat
