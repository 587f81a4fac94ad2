#include "commands/bench/run_queue.h"

#include <mutex>
#include <thread>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/log.h>
#include <splatwright/train/session/run_files.h>
#include "commands/bench/child.h"

namespace splat::app {

namespace fs = std::filesystem;

namespace {

struct Job {
    const SuiteRun* run;
    RunState state;
};

/// A thread per device takes the next run until there is none.
class RunQueue {
public:
    RunQueue(std::vector<Job> jobs, const QueueOptions& options, const Interrupt& interrupt)
        : jobs_(std::move(jobs)), options_(options), interrupt_(interrupt) {}

    QueueResult work() {
        std::vector<std::thread> threads;
        for (const std::string& device : options_.devices) threads.emplace_back([this, &device] { workOn(device); });
        for (std::thread& thread : threads) thread.join();
        return std::move(result_);
    }

private:
    void workOn(const std::string& device) {
        for (const Job* job = next(); job != nullptr; job = next()) {
            try {
                train(*job, device);
            } catch (const std::exception& problem) {
                fail(*job->run, problem.what(), false);
            }
        }
    }

    const Job* next() {
        const std::lock_guard lock(mutex_);
        return interrupt_.requested() || taken_ == jobs_.size() ? nullptr : &jobs_[taken_++];
    }

    void train(const Job& job, const std::string& device) {
        const SuiteRun& run = *job.run;
        fs::create_directories(run.folder());
        writeFileAtomically(run.file(kRunDataFile), run.data.dump(2) + "\n");
        std::vector<std::string> words = trainArguments(run, job.state);
        words.insert(words.end(), options_.global.begin(), options_.global.end());
        if (!device.empty()) words.push_back("--device=" + device);
        const ChildEnd end = runChild(words, run.file(kRunOutputFile), [this] { return interrupt_.requested(); });
        if (end.succeeded()) {
            finish(run);
        } else if (!interrupt_.requested()) {
            fail(run, fmt::format("{}: {}", end.text(), lastLine(run.file(kRunOutputFile))),
                 end.exitCode == static_cast<int>(Exit::validation));
        }
    }

    void finish(const SuiteRun& run) {
        std::error_code ignored;
        if (!options_.keepCheckpoints) fs::remove(run.file(kCheckpointFile), ignored);
        const nlohmann::json metrics = metricsOf(run);
        const Figures figures = figuresOf(metrics, run.name);
        const std::lock_guard lock(mutex_);
        ++result_.trained;
        spdlog::info("[{}/{}] {}: {:.2f} dB, {:.0f} splats, {:.1f} s", ++ended_, jobs_.size(), run.name, figures[0], figures[4],
                     figures[5]);
    }

    /// A run that failed counts as no run: the next time it starts afresh.
    void fail(const SuiteRun& run, const std::string& reason, bool validation) {
        std::error_code ignored;
        fs::remove(run.file(kRunDataFile), ignored);
        const std::lock_guard lock(mutex_);
        result_.onlyValidation = result_.onlyValidation && validation;
        result_.failures.push_back(fmt::format("{}: {}", run.name, reason));
        spdlog::error("[{}/{}] {}", ++ended_, jobs_.size(), result_.failures.back());
    }

    const std::vector<Job> jobs_;
    const QueueOptions& options_;
    const Interrupt& interrupt_;
    std::mutex mutex_;  ///< guards what follows
    size_t taken_ = 0, ended_ = 0;
    QueueResult result_;
};

}  // namespace

QueueResult trainRuns(const std::vector<SuiteRun>& runs, const QueueOptions& options, const Interrupt& interrupt) {
    std::vector<Job> jobs;
    for (const SuiteRun& run : runs) {
        const RunState state = options.force ? RunState::fresh : stateOf(run);
        if (state != RunState::complete) jobs.push_back({&run, state});
    }
    spdlog::info("{} runs, {} of them complete", runs.size(), runs.size() - jobs.size());
    return RunQueue(std::move(jobs), options, interrupt).work();
}

std::vector<std::string> globalArguments(const GlobalOptions& options) {
    std::vector<std::string> words;
    if (options.validate) words.emplace_back("--validate");
    for (const std::string& feature : options.disabled) words.push_back("--disable=" + feature);
    if (options.memoryLimit > 0) words.push_back(fmt::format("--memory-limit={}", options.memoryLimit));
    if (options.loseDeviceAt > 0) words.push_back(fmt::format("--lose-device-at={}", options.loseDeviceAt));
    if (options.verbose) words.emplace_back("--verbose");
    return words;
}

}  // namespace splat::app
