#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include <splatwright/train/session/run_summary.h>

namespace splat {

/// The value, or null for infinity and NaN, which JSON lacks.
nlohmann::ordered_json finiteOrNull(double value);

/// `psnr`, `ssim`, `lpips` if it was computed, and `views` of metrics.json and `eval --json`.
nlohmann::ordered_json toJson(const Evaluation& evaluation);

nlohmann::ordered_json toJson(const RunSummary& summary);

/// One line of log.jsonl.
struct LogLine {
    uint32_t step = 0;
    double loss = 0;
    uint64_t splats = 0;
    double millisecondsPerStep = 0;  ///< NaN: unknown
    std::vector<LossShare> losses;   ///< the terms of the loss
    std::optional<double> psnr;      ///< if the step was evaluated
    std::optional<double> seconds;   ///< if the step was evaluated: training time up to it, as RunSummary::costs has it
    std::string problem;             ///< reason why training ended at this step; otherwise empty
};

/// Lines of a log up to a step, which a resumed run keeps. Incomplete lines of a killed run are dropped. Empty if there is no file.
std::string logUntil(const std::filesystem::path& path, uint32_t step);

/// log.jsonl. Every line is flushed, so that a run can be observed and a crash leaves its log.
class TrainingLog {
public:
    /// Starts a new file with these lines. Here and below, throws Error if the file cannot be written.
    explicit TrainingLog(std::filesystem::path path, const std::string& lines = {});
    void write(const LogLine& line);

private:
    std::filesystem::path path_;
    std::ofstream out_;
};

}  // namespace splat
