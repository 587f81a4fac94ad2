#include "commands/prepare_run.h"

#include <algorithm>
#include <iostream>
#include <optional>

#include <splatwright/core/log.h>
#include <splatwright/prepare/from_dataset.h>
#include <splatwright/train/session/run_files.h>
#include "commands/stage_times.h"
#include "commands/standard_output.h"

namespace splat::app {

namespace {

/// Shows each stage, and remembers how long it took.
class Stages : public prepare::Observer {
public:
    Stages(Progress::Style style, const Interrupt& interrupt) : style_(style), interrupt_(interrupt) {}

    void onStage(std::string_view name, uint64_t total) override {
        finish();
        progress_.emplace(std::cerr, style_, std::string(name), total);
        times_.begin(std::string(name));
    }
    void onProgress(uint64_t done) override {
        if (progress_ && progress_->due()) progress_->update(done);
        done_ = done;
    }
    void onNote(std::string_view text) override { spdlog::info("{}", text); }
    void check() override { interrupt_.check(); }

    /// Of all stages so far.
    std::string finish() {
        if (progress_) {
            progress_->update(done_);
            progress_->finish();
        }
        progress_.reset();
        done_ = 0;
        return times_.text();
    }

private:
    Progress::Style style_;
    const Interrupt& interrupt_;
    std::optional<Progress> progress_;
    StageTimes times_;
    uint64_t done_ = 0;
};

void print(const prepare::Settings& settings, const prepare::Report& report, const std::string& times) {
    const auto list = [](const std::vector<prepare::LeftOut>& photographs, const char* what) {
        for (const auto& [name, reason] : photographs) output("{}  {}: {}\n", what, escapedName(name), printable(reason));
    };
    list(report.leftOut, "left out     ");
    list(report.unregistered, "unregistered ");
    output("{}: {} of {} photographs registered, {} points, mean reprojection error {:.2f} px\n", printable(settings.out.string()),
           report.registered, report.photographs, report.points, report.meanError);
    if (const auto& gps = report.frame.gps) {
        output("GPS: {} of {} positions agree, residuals {:.2f} m (median), {:.2f} m (largest of these)\n", gps->used, gps->positions,
               gps->median, gps->largest);
    }
    output("stages  {}\n", times);
}

}  // namespace

void runPreparation(Context& context, const prepare::Settings& settings, const Interrupt& interrupt, const std::string& format) {
    Stages stages(context.progressStyle(), interrupt);
    try {
        prepare::Settings known = settings;
        known.isResult = isOfRun;
        const prepare::Report report = format.empty() ? prepareDataset(known, stages) : copyDataset(known, format, stages);
        print(settings, report, stages.finish());
    } catch (const Interrupted&) {
        stages.finish();
        output("interrupted; the same command goes on from here\n");
        throw;
    }
}

}  // namespace splat::app
