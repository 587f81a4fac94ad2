#include "commands/train_in_viewer.h"

#include "commands/run_files.h"
#include "commands/run_heading.h"
#include "commands/run_record.h"
#include "commands/show_viewer.h"
#include "train/live_observer.h"

namespace splat::app {

namespace {

/// Writes down what the viewer's training does. On its thread; what is asked at the end comes after that has ended.
class Recorder : public LiveObserver {
public:
    Recorder(Context& context, const RunPlan& plan) : record_(context.device(), context.sort(), plan) {}

    void onStart(const Trainer& trainer, const TrainingData& data) override {
        tellDataset(data);
        record_.begin(trainer.stepsDone(), data.frame, describeData(data));
        summary_.reset();
        complete_ = false;
        problem_.clear();
    }
    void onStep(const StepReport& report, double millisecondsPerStep, const TrainSettings& settings) override {
        record_.step(report, millisecondsPerStep, settings);
    }
    void onEvaluation(const Evaluation& evaluation) override { record_.evaluated(evaluation); }
    void onEnd(Trainer& trainer, const TrainingData& data) override {
        complete_ = trainer.stepsDone() >= trainer.settings().steps;
        summary_ = record_.save(trainer, data, complete_);
    }
    void onDivergence(const Diverged& problem) override {
        problem_ = problem.what();
        if (std::filesystem::exists(file(kCheckpointFile)))
            problem_ += fmt::format("; --resume goes on from {}", file(kCheckpointFile).string());
        record_.diverged(problem, 0);
    }
    void onFailure(const std::string& problem, Trainer* trainer) override {
        problem_ = problem;
        try {
            if (!trainer || trainer->stepsDone() == 0) return;
            if (std::filesystem::exists(file(kCheckpointFile)))
                problem_ += fmt::format("; --resume goes on from {}", file(kCheckpointFile).string());
            record_.saveSplats(*trainer);
            problem_ += fmt::format("; the splats of step {} are in {}", trainer->stepsDone(), file(kSplatsFile).string());
        } catch (const Error& another) {
            spdlog::error("{}", another.what());
        }
    }

    std::filesystem::path file(std::string_view name) const { return record_.folder() / name; }
    const std::string& problem() const { return problem_; }
    bool complete() const { return complete_; }
    /// Says what the run came to, if it made a step.
    void print() const {
        if (summary_) record_.print(*summary_, complete_);
    }

private:
    RunRecord record_;
    std::optional<RunSummary> summary_;
    bool complete_ = false;
    std::string problem_;
};

}  // namespace

Exit trainInViewer(Context& context, const TrainOptions& options) {
    if (context.options().capture > 0) throw InputError("--capture: with --view, Shift+F12 captures a step, expected one of the two");
    RunPlan plan = planRun(options, 0);
    if (plan.nothingToDo()) {
        printNothingToDo(plan);
        return Exit::done;
    }
    tellStart(plan);
    loadDataset(options.data, plan.options.reading);  // what is wrong with it is said before there is a window
    std::optional<Recorder> recorder;
    const Exit exit = showViewer(context, {.script = {}, .scriptName = {}, .shaders = {}}, true, [&](Workspace& work) {
        tellDevice(context.device(), plan);
        recorder.emplace(context, plan);
        work.train({.data = options.data,
                    .reading = plan.options.reading,
                    .settings = plan.settings,
                    .evaluateAt = plan.evaluations,
                    .checkpoint = recorder->file(kCheckpointFile),
                    .resume = std::move(plan.resumed),
                    .observer = &*recorder,
                    .version = SPLAT_VERSION});
        work.training->live().start();
    });
    if (!recorder->problem().empty()) throw Error("{}", recorder->problem());
    recorder->print();
    return recorder->complete() ? Exit::done : exit;
}

}  // namespace splat::app
