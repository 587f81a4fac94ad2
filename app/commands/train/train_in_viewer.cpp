#include "commands/train/train_in_viewer.h"

#include <splatwright/scene/datasets/picture.h>
#include "commands/show_viewer.h"
#include "commands/train/run_heading.h"
#include "commands/train/run_plan.h"
#include "commands/train/run_report.h"

namespace splat::app {

namespace {

/// Keeps how the viewer's training ended, for the time after the window is closed.
class Outcome : public SessionObserver {
public:
    /// Prints the summary of a run that made a step. Throws Error if it failed.
    void report(const RunPlan& plan) const {
        if (saved_) throw Error("{}; {}", problem_, savedText(*saved_));
        if (!problem_.empty()) throw Error("{}", problem_);
        if (!summary_) return;
        printSummary(*summary_, plan);
        saveResult(plan);
    }
    bool complete() const { return summary_ && summary_->complete(); }

private:
    void onData(const TrainingData& data, const TrainSettings& /*settings*/) override {
        data.format == kPictureFormat ? tellPicture(data) : tellDataset(data);
    }
    void onStart(uint32_t /*step*/, const TrainSettings& /*settings*/) override {
        summary_.reset();
        saved_.reset();
        problem_.clear();
    }
    void onEnd(const RunSummary& summary) override { summary_ = summary; }
    void onDivergence(const Diverged& problem) override { problem_ = problem.what(); }
    void onFailure(const std::string& problem) override { problem_ = problem; }
    void onRescue(const SavedFiles& saved) override { saved_ = saved; }

    std::optional<RunSummary> summary_;
    std::optional<SavedFiles> saved_;
    std::string problem_;
};

}  // namespace

Exit trainInViewer(Context& context, const TrainOptions& options) {
    if (context.options().capture > 0) throw InputError("--capture: with --view, Shift+F12 captures a step, expected one of the two");
    const RunPlan plan = planRun(options, 0);
    if (plan.nothingToDo()) {
        printNothingToDo(plan);
        return Exit::done;
    }
    tellStart(plan);
    Outcome outcome;
    SessionOptions session = plan.session(outcome);
    session.dataset = loadDataset(session.data, session.reading);  // its problems are reported before a window opens
    const Exit exit = showViewer(context, {.options = {}, .script = {}, .scriptName = {}}, {}, [&](Workspace& work) {
        tellDevice(context.device(), plan);
        work.train(std::move(session));
        work.training->live().start();
    });
    outcome.report(plan);
    return outcome.complete() ? Exit::done : exit;
}

}  // namespace splat::app
