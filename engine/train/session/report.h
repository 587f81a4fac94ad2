#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include <nlohmann/json_fwd.hpp>

#include <splatwright/core/platform/file.h>
#include <splatwright/train/session/run_summary.h>
#include <splatwright/train/watch/health_sampler.h>

namespace splat {

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
    std::optional<HealthSample> health;
    std::optional<double> colourDifference;     ///< StepReport::colourDifference
    std::optional<double> psnr;                 ///< if the step was evaluated
    std::optional<double> seconds;              ///< if the step was evaluated: training time up to it, as RunSummary::costs has it
    std::string problem;                        ///< reason why training ended at this step or was rolled back; otherwise empty
    std::optional<uint32_t> rolledBackTo = {};  ///< the step that it was rolled back to
};

/// How far a run is.
struct RunPosition {
    uint32_t steps = 0;
    size_t rollbacks = 0;
};

/// Lines of a log up to a position, which a run that is resumed there keeps. Incomplete lines of a killed run are dropped. Empty if there is no
/// file.
std::string logUntil(const std::filesystem::path& path, const RunPosition& position);

/// log.jsonl. Every line is written at once, so that a run can be observed and a crash leaves its log. Lines that a full disk has no room for
/// are kept, with a warning, and written when it has.
class TrainingLog {
public:
    /// Starts a new file with these lines. Throws Error if it cannot be written.
    explicit TrainingLog(std::filesystem::path path, const std::string& lines = {});

    void write(const LogLine& line);
    /// Throws Error if there are lines that cannot be written.
    void finish();

private:
    std::error_code flush();

    std::filesystem::path path_;
    platform::File file_;
    std::string waiting_;  ///< not yet in the file
    bool warned_ = false;
};

}  // namespace splat
