#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include <splatwright/train/session/run_summary.h>

namespace splat {

/// JSON has no infinity and no NaN: null.
nlohmann::ordered_json finiteOrNull(double value);

/// `psnr`, `ssim` and `views`, as metrics.json and `eval --json` have them.
nlohmann::ordered_json toJson(const Evaluation& evaluation);

nlohmann::ordered_json toJson(const RunSummary& summary);

/// One line of log.jsonl.
struct LogLine {
    uint32_t step = 0;
    double loss = 0;
    uint64_t splats = 0;
    double millisecondsPerStep = 0;  ///< NaN: not known
    std::vector<LossShare> losses;   ///< the terms of the loss
    std::optional<double> psnr;      ///< where evaluated
    std::string problem;             ///< why training ended here; empty: it did not
};

/// The lines of a log up to a step: what a run that goes on from there keeps. Lines that are not whole, as a killed run may leave one, go;
/// no file is no lines.
std::string logUntil(const std::filesystem::path& path, uint32_t step);

/// log.jsonl: every line reaches the file at once, so that a run can be watched, and one that dies leaves its log.
class TrainingLog {
public:
    /// Starts a new file with these lines. Throws Error naming the path when it cannot be written, here and below.
    explicit TrainingLog(std::filesystem::path path, const std::string& lines = {});
    void write(const LogLine& line);

private:
    std::filesystem::path path_;
    std::ofstream out_;
};

}  // namespace splat
