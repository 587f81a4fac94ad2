#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include <splatwright/core/folder_lock.h>
#include <splatwright/core/image.h>
#include <splatwright/core/output_folder.h>
#include <splatwright/scene/cameras/camera_file.h>
#include <splatwright/train/session/report.h>
#include <splatwright/train/session/run_files.h>

namespace splat {

/// The folder of a run and its files except checkpoints. Everything throws Error naming the path if it cannot be written.
class RunRecord {
public:
    /// Creates the folder and locks it. resume: the checkpoint that the run continues from, or empty. Throws InputError if another run is
    /// training into the folder, or has files there that may not be overwritten.
    RunRecord(const std::filesystem::path& folder, std::filesystem::path resume, bool overwrite);

    std::filesystem::path file(std::string_view name) const { return folder_ / name; }

    /// Called when training starts.
    void begin(const RunPosition& position);
    /// Removes an earlier run's files and starts the log, which keeps its lines up to begin() if they are this run's. Called before the first
    /// file is written, so that a run without a step touches nothing.
    void open();
    /// Writes a line of the log. One that awaits an evaluation is written by the next call of open(), step() or evaluated().
    void step(const LogLine& line, bool awaitsEvaluation);
    /// Completes the last line with an evaluation, unless it has no views, and with the training seconds so far.
    void evaluated(const Evaluation& evaluation, double seconds);

    void save(const std::vector<NamedView>& cameras);
    void save(const Image8& picture, const char* name);
    void save(const RunSummary& summary);

private:
    void finishLine();

    OutputFolder folder_;
    FolderLock lock_;
    std::filesystem::path resume_;
    std::optional<TrainingLog> log_;
    RunPosition begunAt_;
    std::optional<LogLine> awaiting_;  ///< its evaluation
};

}  // namespace splat
