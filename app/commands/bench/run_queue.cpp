#include "commands/bench/run_queue.h"

#include <mutex>
#include <thread>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/folder_lock.h>
#include <splatwright/core/log.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/train/session/run_files.h>
#include "commands/bench/child.h"

namespace splat::app {

namespace fs = std::filesystem;

namespace {

/// Says in the run's folder of which data its files are. What was said before comes back unless this run has changed the files.
class DataNote {
public:
    explicit DataNote(const SuiteRun& run) : file_(run.file(kRunDataFile)) {
        if (mayExist(file_)) before_ = readTextFile(file_);
        writeFileAtomically(file_, jsonText(run.data, 2) + "\n");
    }
    ~DataNote() {
        if (restores_) restore();
    }
    DataNote(const DataNote&) = delete;
    DataNote& operator=(const DataNote&) = delete;

    void keep() { restores_ = false; }
    /// The files are of no use: the next time the run starts afresh.
    void drop() {
        before_.reset();
        restore();
        keep();
    }

private:
    void restore() {
        std::error_code ignored;
        try {
            before_ ? writeFileAtomically(file_, *before_) : void(fs::remove(file_, ignored));
        } catch (const Error& problem) {
            spdlog::error("{}", problem.what());
        }
    }

    fs::path file_;
    std::optional<std::string> before_;
    bool restores_ = true;
};

RunState stateFor(const SuiteRun& run, const QueueOptions& options) { return options.force ? RunState::fresh : stateOf(run); }

/// A thread per device takes the next run until there is none.
class RunQueue {
public:
    RunQueue(std::vector<const SuiteRun*> runs, const QueueOptions& options, const Interrupt& interrupt)
        : runs_(std::move(runs)), options_(options), interrupt_(interrupt) {}

    QueueResult work() {
        std::vector<std::thread> threads;
        for (const std::string& device : options_.devices) threads.emplace_back([this, &device] { workOn(device); });
        for (std::thread& thread : threads) thread.join();
        return std::move(result_);
    }

private:
    void workOn(const std::string& device) {
        for (const SuiteRun* run = next(); run != nullptr; run = next()) {
            try {
                train(*run, device);
            } catch (const std::exception& problem) {
                fail(*run, problem.what(), false);
            }
        }
    }

    const SuiteRun* next() {
        const std::lock_guard lock(mutex_);
        return interrupt_.requested() || taken_ == runs_.size() ? nullptr : runs_[taken_++];
    }

    /// Once nobody has the folder, its state counts: the process of an earlier call may have saved it just now.
    void train(const SuiteRun& run, const std::string& device) {
        fs::create_directories(run.folder());
        FolderLock::refuseIfHeld(run.folder());
        const RunState state = stateFor(run, options_);
        if (state == RunState::complete) return finish(run);
        DataNote note(run);
        std::vector<std::string> words = trainArguments(run, state);
        words.insert(words.end(), options_.global.begin(), options_.global.end());
        if (!device.empty()) words.push_back("--device=" + device);
        const ChildEnd end = trainInChild(words, run.file(kRunOutputFile), [this] { return interrupt_.requested(); });
        const bool wasRefused = end.exitCode == static_cast<int>(Exit::usage);  // as by a lock: it has touched nothing
        if (!wasRefused) note.keep();
        if (end.succeeded()) return finish(run);
        if (interrupt_.requested()) return;
        if (!wasRefused) note.drop();
        fail(run, fmt::format("{}: {}", end.text(), lastLine(run.file(kRunOutputFile))),
             end.exitCode == static_cast<int>(Exit::validation));
    }

    void finish(const SuiteRun& run) {
        std::error_code ignored;
        if (!options_.keepCheckpoints) fs::remove(run.file(kCheckpointFile), ignored);
        const nlohmann::json metrics = metricsOf(run);
        const Figures figures = figuresOf(metrics, run.name);
        const std::lock_guard lock(mutex_);
        ++result_.trained;
        spdlog::info("[{}/{}] {}: {:.2f} dB, {:.0f} splats, {:.1f} s", ++ended_, runs_.size(), run.name, figures[0], figures[4],
                     figures[5]);
    }

    void fail(const SuiteRun& run, const std::string& reason, bool validation) {
        const std::lock_guard lock(mutex_);
        result_.onlyValidation = result_.onlyValidation && validation;
        result_.failures.push_back(fmt::format("{}: {}", run.name, reason));
        spdlog::error("[{}/{}] {}", ++ended_, runs_.size(), result_.failures.back());
    }

    const std::vector<const SuiteRun*> runs_;
    const QueueOptions& options_;
    const Interrupt& interrupt_;
    std::mutex mutex_;  ///< guards what follows
    size_t taken_ = 0, ended_ = 0;
    QueueResult result_;
};

}  // namespace

QueueResult trainRuns(const std::vector<SuiteRun>& runs, const QueueOptions& options, const Interrupt& interrupt) {
    std::vector<const SuiteRun*> left;
    for (const SuiteRun& run : runs) {
        if (stateFor(run, options) != RunState::complete) left.push_back(&run);
    }
    spdlog::info("{} runs, {} of them complete", runs.size(), runs.size() - left.size());
    return RunQueue(std::move(left), options, interrupt).work();
}

std::vector<std::string> globalArguments(const GlobalOptions& options) {
    std::vector<std::string> words;
    if (options.validate) words.emplace_back("--validate");
    for (const std::string& feature : options.disabled) words.push_back("--disable=" + feature);
    if (!options.profile.empty()) words.push_back("--profile=" + options.profile);
    if (options.memoryLimit > 0) words.push_back(fmt::format("--memory-limit={}", options.memoryLimit));
    if (options.loseDeviceAt > 0) words.push_back(fmt::format("--lose-device-at={}", options.loseDeviceAt));
    if (options.verbose) words.emplace_back("--verbose");
    return words;
}

}  // namespace splat::app
