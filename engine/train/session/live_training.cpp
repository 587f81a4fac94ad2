#include <splatwright/train/session/live_training.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <splatwright/core/log.h>
#include <splatwright/train/session/training_data.h>
#include <splatwright/train/step/training_costs.h>

namespace splat {

namespace {

constexpr double kQueueAhead = 25;  // milliseconds of steps submitted ahead of a frame

}  // namespace

LiveTraining::LiveTraining(gpu::Device& device, SessionOptions options)
    : next_(options.observer ? *options.observer : none_), session_(device, observed(std::move(options))) {
    thread_ = std::jthread([this] { session_.serve(); });
}

LiveTraining::~LiveTraining() {
    session_.stop();
    thread_.join();
}

SessionOptions LiveTraining::observed(SessionOptions options) {
    state_.settings = options.settings;
    options.queueAhead = kQueueAhead;
    options.observer = this;
    return options;
}

LiveState LiveTraining::state() const {
    const uint32_t pending = session_.pending();
    const std::scoped_lock lock(mutex_);
    LiveState state = state_;
    state.pending = pending;
    state.history = history_.points();
    return state;
}

std::vector<LiveView> LiveTraining::views() const {
    const std::scoped_lock lock(mutex_);
    return views_;
}

void LiveTraining::onPhase(SessionPhase phase) {
    if (phase == SessionPhase::paused || phase == SessionPhase::finished) refreshCosts();
    {
        const std::scoped_lock lock(mutex_);
        state_.phase = phase;
        if (phase == SessionPhase::loading) views_.clear();
    }
    next_.onPhase(phase);
}

void LiveTraining::onLoading(Split split, size_t done, size_t total) {
    {
        const std::scoped_lock lock(mutex_);
        state_.loading = split == Split::train ? "training views" : "test views";
        state_.loaded = static_cast<double>(done) / static_cast<double>(total);
    }
    next_.onLoading(split, done, total);
}

void LiveTraining::onData(const TrainingData& data, const TrainSettings& settings) {
    std::vector<LiveView> views = liveViews(data, settings.background);
    {
        const std::scoped_lock lock(mutex_);
        views_ = std::move(views);
        ++state_.dataGeneration;
        state_.transform = transformOf(data.frame);
    }
    next_.onData(data, settings);
}

void LiveTraining::onStart(uint32_t step, const TrainSettings& settings) {
    {
        const std::scoped_lock lock(mutex_);
        history_ = {};
        state_.settings = settings;
        state_.problem.clear();
        state_.last = {.step = step};
        state_.savedStep = step;
        state_.checkpointStep.reset();
        state_.evaluations.clear();
        state_.testScores.clear();
        state_.trainingScores.clear();
        state_.lossTerms.clear();
        state_.costs = {};
        state_.shDegree = session_.shDegree();
    }
    next_.onStart(step, settings);
}

void LiveTraining::onStep(const StepReport& report, double millisecondsPerStep) {
    const double known = std::isfinite(millisecondsPerStep) ? millisecondsPerStep : 0;  // a curve shows 0 for the first step
    {
        const std::scoped_lock lock(mutex_);
        state_.last = report;
        state_.millisecondsPerStep = known;
        state_.shDegree = session_.shDegree();
        history_.add(pointOf(report, known));
    }
    next_.onStep(report, millisecondsPerStep);
    if (std::chrono::steady_clock::now() - costsTaken_ >= std::chrono::seconds(1)) refreshCosts();
}

LivePoint LiveTraining::pointOf(const StepReport& report, double millisecondsPerStep) {
    LivePoint point{.step = report.step, .loss = report.loss, .splats = report.gaussians, .milliseconds = millisecondsPerStep, .terms = {}};
    std::vector<std::string_view>& known = state_.lossTerms;
    for (const LossShare& share : report.losses) {
        const auto term = static_cast<size_t>(std::ranges::find(known, share.name) - known.begin());
        if (term == LivePoint::kMostTerms) continue;
        if (term == known.size()) known.push_back(share.name);
        point.terms[term] = static_cast<float>(share.weight * share.value);
    }
    return point;
}

/// Waits for the GPU.
void LiveTraining::refreshCosts() {
    costsTaken_ = std::chrono::steady_clock::now();
    TrainingCosts costs = session_.costs();
    const std::scoped_lock lock(mutex_);
    state_.costs = std::move(costs);
}

void LiveTraining::onRemoval(uint32_t removed, uint32_t left) {
    {
        const std::scoped_lock lock(mutex_);
        ++state_.removals;
        state_.removed = removed;
        state_.last.gaussians = left;
    }
    next_.onRemoval(removed, left);
}

void LiveTraining::onEvaluation(uint32_t step, const Evaluation& evaluation) {
    if (!evaluation.views.empty()) {
        const std::scoped_lock lock(mutex_);
        state_.evaluations.push_back({.step = step,
                                      .psnr = evaluation.psnr,
                                      .ssim = evaluation.ssim,
                                      .worst = std::ranges::min(evaluation.views, {}, &ViewScore::psnr).psnr,
                                      .warning = flatWarning(evaluation)});
        state_.testScores = evaluation.views;
    }
    next_.onEvaluation(step, evaluation);
}

void LiveTraining::onTrainingScores(uint32_t step, const std::vector<ViewScore>& scores) {
    {
        const std::scoped_lock lock(mutex_);
        state_.trainingScores = scores;
    }
    next_.onTrainingScores(step, scores);
}

void LiveTraining::onChange(const TrainSettings& settings) {
    {
        const std::scoped_lock lock(mutex_);
        state_.settings = settings;
        state_.problem.clear();
    }
    next_.onChange(settings);
}

void LiveTraining::onSplats(uint32_t step, const std::filesystem::path& file) {
    spdlog::info("splats of step {} are in {}", step, file.string());
    {
        const std::scoped_lock lock(mutex_);
        state_.savedStep = step;
    }
    next_.onSplats(step, file);
}

void LiveTraining::onCheckpoint(uint32_t step, const std::filesystem::path& file) {
    {
        const std::scoped_lock lock(mutex_);
        state_.checkpointStep = step;
        state_.savedStep = std::max(state_.savedStep, step);
    }
    next_.onCheckpoint(step, file);
}

void LiveTraining::addProblem(const std::string& problem) {
    const std::scoped_lock lock(mutex_);
    state_.problem = problem;
    ++state_.problems;
}

void LiveTraining::onProblem(const std::string& problem) {
    addProblem(problem);
    next_.onProblem(problem);
}

void LiveTraining::onRollback(const Rollback& rollback) {
    addProblem(fmt::format("rolled back from step {} to step {}: {}", rollback.from, rollback.to, rollback.problem));
    next_.onRollback(rollback);
}

void LiveTraining::onDivergence(const Diverged& problem) {
    spdlog::error("{}", problem.what());
    addProblem(problem.what());
    next_.onDivergence(problem);
}

void LiveTraining::onFailure(const std::string& problem) {
    spdlog::error("training: {}", problem);
    addProblem(problem);
    next_.onFailure(problem);
}

}  // namespace splat
