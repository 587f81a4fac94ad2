#include <splatwright/train.h>

#include <atomic>
#include <exception>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include <splatwright/api/convert.h>
#include <splatwright/api/device_access.h>
#include <splatwright/api/train_options.h>
#include <splatwright/api/translate.h>
#include <splatwright/core/error.h>
#include <splatwright/core/log.h>
#include <splatwright/train/session/session_runner.h>

namespace splatwright {

namespace {

/// Ends a session whose caller's callback has thrown.
class CallbackFailed : public std::exception {
public:
    const char* what() const noexcept override { return "the callback of run() has thrown an exception"; }
};

Scores scoresOf(const splat::Evaluation& evaluation) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (evaluation.views.empty()) return {.views = 0, .psnr = kNone, .ssim = kNone};
    return {.views = evaluation.views.size(), .psnr = evaluation.psnr, .ssim = evaluation.ssim};
}

}  // namespace

struct Training::Impl final : splat::SessionObserver {
    Impl(splat::gpu::Device& device, splat::SessionOptions options)
        : settings(options.settings), runner(device, observed(std::move(options))) {
        runner.restart(settings);
    }

    splat::SessionOptions observed(splat::SessionOptions options) {
        options.observer = this;
        return options;
    }

    /// The runner, for a member that is called between two steps of a sound training.
    splat::SessionRunner& idle(std::string_view member) {
        if (within) throw splat::InputError("Training::{}: was called within the callback of run(), expected after run()", member);
        runner.trainer();
        return runner;
    }

    void run(uint32_t untilStep, const OnStep& callback) {
        splat::SessionRunner& ready = idle("run");
        while (ready.commands().next(false)) ready.commands().done();  // pauses that came after the end of the run before
        ended = false;
        onStepDone = &callback;
        ready.trainTo(untilStep);
    }

    void pause() {
        ended = true;
        runner.commands().post([this] { runner.pause(); });
    }

    void onStep(const splat::StepReport& report, double milliseconds) override {
        if (ended || !*onStepDone) return;
        within = true;
        bool goOn = false;
        try {
            goOn = (*onStepDone)({.step = report.step,
                                  .steps = runner.training().trainer()->settings().steps,
                                  .loss = report.loss,
                                  .splats = report.gaussians,
                                  .visible = report.visible,
                                  .milliseconds = milliseconds});
        } catch (...) {
            callersProblem = std::current_exception();
        }
        within = false;
        if (callersProblem) throw CallbackFailed();
        if (!goOn) pause();
    }
    void onEvaluation(uint32_t, const splat::Evaluation& evaluation) override { evaluated = evaluation; }
    void onProblem(const std::string& problem) override { spdlog::warn("{}", problem); }

    splat::TrainSettings settings;
    const OnStep* onStepDone = nullptr;  ///< that of the run() in progress
    bool within = false;                 ///< within that callback
    std::atomic<bool> ended = false;     ///< whether the rest of a run() is not reported
    std::exception_ptr callersProblem;
    splat::Evaluation evaluated;  ///< the last
    splat::SessionRunner runner;
};

Training::Training(Device& device, const TrainOptions& options)
    : impl_(translated([&] { return std::make_unique<Impl>(DeviceAccess::engine(device), sessionOptions(options)); })) {}
Training::~Training() = default;

uint32_t Training::run(uint32_t untilStep, const OnStep& onStep) {
    try {
        translated([&] { impl_->run(untilStep, onStep); });
    } catch (const CallbackFailed&) {
        std::rethrow_exception(std::exchange(impl_->callersProblem, nullptr));
    }
    return stepsDone();
}

uint32_t Training::run(const OnStep& onStep) { return run(std::numeric_limits<uint32_t>::max(), onStep); }

void Training::stop() { impl_->pause(); }

uint32_t Training::stepsDone() const { return impl_->runner.training().trainer()->stepsDone(); }

uint32_t Training::steps() const { return impl_->runner.training().trainer()->settings().steps; }

Image8 Training::render(const Camera& camera) {
    return translated([&] { return publicImage(impl_->idle("render").training().render(engineCamera(camera, "Training::render"))); });
}

Scores Training::evaluate() {
    return translated([&] {
        impl_->idle("evaluate").training().score(false);
        return scoresOf(impl_->evaluated);
    });
}

Splats Training::splats() const {
    return translated([&] { return publicSplats(impl_->idle("splats").training().splats()); });
}

void Training::saveSplats(const std::filesystem::path& path) { writeSplats(path, splats()); }

void Training::saveCheckpoint(const std::filesystem::path& path) {
    translated([&] {
        splat::SessionTraining& training = impl_->idle("saveCheckpoint").training();
        training.files().reportEarlier();
        training.writeCheckpoint(path);
        training.files().finishCheckpoint(true);
    });
}

TrainSummary Training::finish() {
    return translated([&] {
        const std::optional<splat::RunSummary> run = impl_->idle("finish").finish();
        if (!run) return TrainSummary{.steps = stepsDone(), .complete = complete(), .scores = scoresOf({})};
        return TrainSummary{.steps = run->costs.steps,
                            .complete = run->complete(),
                            .splats = run->splats,
                            .scores = scoresOf(run->evaluation),
                            .trainSeconds = run->costs.seconds,
                            .totalSeconds = run->totalSeconds,
                            .peakMemory = static_cast<uint64_t>(run->peakDeviceBytes)};
    });
}

}  // namespace splatwright
