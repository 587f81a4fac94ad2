#include <splatwright/train/session/session_training.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include <splatwright/core/log.h>
#include <splatwright/scene/gaussians/neighbours.h>
#include <splatwright/scene/gaussians/selected.h>
#include <splatwright/scene/gaussians/usable.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/parts/colour_grid_settings.h>
#include <splatwright/train/parts/exposure_settings.h>
#include <splatwright/train/parts/region.h>
#include <splatwright/train/session/results.h>
#include <splatwright/train/session/resume.h>
#include <splatwright/train/settings/passes.h>
#include <splatwright/train/step/withheld_views.h>

namespace splat {

SessionTraining::SessionTraining(gpu::Device& device, const primitives::RadixSort& sort, SessionOptions& options, SessionObserver& observer,
                                 const CommandQueue& commands)
    : device_(device),
      sort_(sort),
      options_(options),
      observer_(observer),
      commands_(commands),
      data_(device),
      watch_(device),
      growth_(device),
      files_(device, sort, options, observer, data_, watch_, growth_),
      stops_{options.evaluateAt, options.captureStep, files_.hasFolder()} {
    if (options.captureStep > 0) capture_.emplace(files_.file(fmt::format("step_{}", options.captureStep)));
}

void SessionTraining::begin(const TrainSettings& given, bool keepAlpha) {
    trainer_.reset(nullptr);
    if (!data_.fits(given)) load(given, keepAlpha);
    checkKind(data_.data().path, data_.data().format, given);
    const TrainingData& data = data_.data();
    std::optional<Checkpoint> resumed;
    if (!options_.resume.empty()) resumed = readCheckpoint(options_.resume);
    if (resumed) checkSameData(*resumed, data);
    colourTest_ = resumed ? colourTestIn(resumed->header) : std::nullopt;
    if (!colourTest_) colourTest_ = data_.colourTest();
    const TrainSettings settings = followed(given, resumed ? growthEndIn(resumed->header) : std::nullopt);
    tellLimits(given);
    auto trainer = std::make_unique<Trainer>(device_, sort_, withRegionInFrame(settings, data.frame), firstModel(settings), data.train,
                                             data_.targets(), trainedKind(settings).extent);
    trainer->setQueueAhead(options_.queueAhead);
    if (resumed) restore(*trainer, *resumed, device_.name());
    beginGrowth(*trainer, resumed ? &*resumed : nullptr);
    watch_.begin(*trainer, data_.flatErrors(), resumed ? &*resumed : nullptr);
    files_.begin(*trainer, given, resumed ? historyOf(*resumed) : RunHistory{}, colourTest_,
                 std::exchange(options_.resume, {}));  // a restart begins at step 0
    diverged_.reset();
    soundStep_.reset();
    endedAt_ = trainer->stepsDone();
    evaluatedAt_ = 0;
    trainer_.reset(std::move(trainer));
    observer_.onStart(endedAt_, settings);
}

void SessionTraining::beginGrowth(const Trainer& trainer, const Checkpoint* resumed) {
    const TrainSettings& settings = trainer.settings();
    const size_t views = data_.data().train.size();
    withheld_.reset();
    growth_.begin(
        trainer, views, [this](size_t view) { return data_.trainingImage(view); }, resumed);
    if (const std::string why = whyNoneWithheld(settings, views); !why.empty())
        spdlog::info("withhold={}: no view is withheld: {}", settings.withhold, why);
    if (const size_t withheld = growth_.views().size(); withheld > 0)
        spdlog::info("withhold={}: {} of {} training views are not trained before densify_until={}, and show whether growth helps",
                     settings.withhold, withheld, views, settings.densifyUntil);
}

Gaussians SessionTraining::firstModel(const TrainSettings& settings) const {
    return trainedKind(settings).start({.device = device_, .settings = settings, .data = data_.data(), .image = [this](size_t view) {
                                            return data_.trainingImage(view);
                                        }});
}

/// The settings that a run follows, with what these views allow.
TrainSettings SessionTraining::followed(const TrainSettings& given, std::optional<uint32_t> growthEnd) const {
    uint64_t pixels = 0;
    for (const Photograph& view : data_.data().train)
        pixels += static_cast<uint64_t>(view.camera.width) * static_cast<uint64_t>(view.camera.height);
    const TrainSettings limited = shortened(given, {data_.data().train.size(), growthEnd});
    return withColourTest(withinPixels(limited, pixels, data_.data().points.size()), colourTest_);
}

/// Says whether photographs differ, by how much limits shorten the schedule and lower the maximum, and what will not happen for it.
void SessionTraining::tellLimits(const TrainSettings& given) const {
    if (colourTest_ && asksForColourTest(given)) spdlog::info("colours: {}", textOf(*colourTest_));
    const TrainSettings limited = followed(given, std::nullopt);
    if (limited.maxSplats != given.maxSplats)
        spdlog::info("splat_pixels={}: at most {} Gaussians, by the pixels of the training images", given.splatPixels, limited.maxSplats);
    if (limited.steps == given.steps) return;
    spdlog::info("max_passes={}: {} steps instead of {}, because there are {} training views; densify_until={} full_size_from={}",
                 given.maxPasses, limited.steps, given.steps, data_.data().train.size(), limited.densifyUntil, limited.fullSizeFrom);
    if (options_.captureStep > limited.steps) spdlog::warn("step {} will not be captured", options_.captureStep);
    for (const uint32_t step : options_.evaluateAt) {
        if (step > limited.steps && step < given.steps) spdlog::warn("there will be no evaluation after step {}", step);
    }
}

void SessionTraining::change(const TrainSettings& asked) {
    const size_t views = data_.data().train.size();
    const ScheduleLimits limits{views, growth_.endedAt()};
    TrainSettings given = asked;
    if (asksForSteps(files_.settings(), given, limits)) runAllSteps(given, files_.settings(), limits);
    checkKind(data_.data().path, data_.data().format, given);
    const TrainSettings settings = followed(given, growth_.endedAt());
    checkLimit(files_.settings(), given, views);
    checkGrowth(files_.settings(), given, limits);
    if (settings.steps < trainer_->stepsDone() && settings.steps < given.steps)
        throw InputError("max_passes={} allows {} steps with {} training views, expected at least {}, which are done", given.maxPasses,
                         settings.steps, views, trainer_->stepsDone());
    trainer_->change(withRegionInFrame(settings, data_.data().frame));
    watch_.change(*trainer_);
    growth_.change(*trainer_);
    withheld_.reset();
    files_.change(given);
    observer_.onChange(settings);
}

void SessionTraining::removeFloaters(double times) {
    const Gaussians all = trainer_->model().download(device_, 0);
    std::vector<uint32_t> usable;
    for (uint32_t i = 0; i < all.count(); ++i)
        if (isUsable(all, i)) usable.push_back(i);
    const std::vector<float> far = isolation(selected(all, usable).means);
    std::vector<uint8_t> kept(all.count(), 1);
    for (size_t i = 0; i < usable.size(); ++i) kept[usable[i]] = static_cast<double>(far[i]) > times ? 0 : 1;
    const auto removed = static_cast<uint32_t>(std::ranges::count(kept, 0));
    if (removed > 0) {  // a return to an earlier state does not bring them back
        trainer_->keep(kept);
        watch_.keep(*trainer_);
        growth_.forgetScores();
    }
    spdlog::info("step {}: {} floaters of {} Gaussians are removed", trainer_->stepsDone(), removed, all.count());
    observer_.onRemoval(removed, static_cast<uint32_t>(all.count()) - removed);
}

void SessionTraining::load(const TrainSettings& settings, bool keepAlpha) {
    observer_.onPhase(SessionPhase::loading);
    const Dataset dataset = options_.dataset ? *std::exchange(options_.dataset, {}) : loadDataset(options_.data, options_.reading);
    tellChoices(dataset, static_cast<int>(settings.testEvery));
    const auto progress = [&](Split split, size_t done, size_t total) {
        if (commands_.stopped()) throw Stopped();
        observer_.onLoading(split, done, total);
    };
    data_.load(dataset, settings, {.keepAlpha = keepAlpha, .progress = progress}, observer_);
}

void SessionTraining::advance(uint32_t pauseAt) {
    const uint32_t done = trainer_->stepsDone();
    const std::optional<uint32_t> score = growth_.nextScore(done);
    if (capture_ && done + 1 == options_.captureStep) {
        observer_.onCapture(trainer_->captureStep(*capture_));
    } else {
        clock_.restart(done);
        const uint32_t stop = stops_.next(done, trainer_->settings(), pauseAt);
        if (const auto problem = train(score ? std::min(stop, *score) : stop)) return rollBack(*problem);
    }
    if (SessionStops::copiesAfter(trainer_->stepsDone(), trainer_->settings())) watch_.keep(*trainer_);
    if (trainer_->stepsDone() == score) scoreGrowth();
}

/// Scores the withheld views, and ends growth if it has not helped them for some time.
void SessionTraining::scoreGrowth() {
    const auto begin = std::chrono::steady_clock::now();
    const WithheldScore score = withheldScore(trainer_->stepsDone(), trainer_->gaussians(), withheldPsnrs());
    if (growth_.add(*trainer_, score)) endGrowth(score);
    if (!growth_.nextScore(score.step)) withheld_.reset();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    spdlog::debug("step {}: {} withheld views have {:.2f} dB, with {} splats; seen in {:.1f} ms", score.step, growth_.views().size(),
                  score.psnr, score.splats, 1000 * seconds);
    files_.addSeconds(seconds);
}

std::vector<double> SessionTraining::withheldPsnrs() {
    const TrainSettings& settings = trainer_->settings();
    // Their photographs have no correction of their own yet.
    if (settings.of<ExposureSettings>().exposure || settings.of<ColourGridSettings>().colourGrid)
        return ResultRenderer(device_, sort_, *trainer_).matchedPsnrs(growth_.views());
    if (!withheld_) withheld_.emplace(device_, sort_, growth_.views(), settings.background);
    return withheld_->psnrs(*trainer_);
}

/// Goes back to the best state, from which the final phase follows.
void SessionTraining::endGrowth(const WithheldScore& seen) {
    files_.rollsBack(*trainer_);
    growth_.end(*trainer_);
    const TrainSettings settings = followed(files_.settings(), growth_.endedAt());
    trainer_->change(withRegionInFrame(settings, data_.data().frame));
    trainer_.noteDegree();
    watch_.change(*trainer_);
    const std::string why = whyGrowthEnds(growth_.best(), seen);
    files_.growthEnded(seen, settings.densifyUntil, why);
    spdlog::info("{}; densify_until={} steps={}", why, settings.densifyUntil, settings.steps);
    observer_.onChange(settings);
}

/// Returns the collapse or divergence that has ended it, if one has.
std::optional<Diverged> SessionTraining::train(uint32_t untilStep) {
    try {
        trainer_->run(untilStep, [&](const StepReport& report) { return onStep(report); });
    } catch (const Diverged& problem) {
        return problem;
    }
    return watch_.collapse();
}

/// Throws the problem if training cannot be rolled back.
void SessionTraining::rollBack(const Diverged& problem) {
    if (!watch_.mayRollBack(problem)) throw watch_.finally(problem);
    files_.rollsBack(*trainer_);
    const Rollback& rollback = watch_.rollBack(*trainer_, problem);
    files_.rolledBack(problem, rollback, millisecondsPerStep_);
    growth_.forgetScores();
    trainer_.noteDegree();
    spdlog::warn("{}; it continues from step {} with {} of the learning rates, and ends if this comes again", problem.what(), rollback.to,
                 rollback.rateScale);
    observer_.onRollback(rollback);
}

/// Called for every step, while the GPU works on later ones: nothing here may take long.
bool SessionTraining::onStep(const StepReport& report) {
    if (watch_.collapse()) return false;  // steps that were queued behind
    millisecondsPerStep_ = clock_.lap(report.step);
    trainer_.noteDegree();
    const std::optional<HealthSample> sample = watch_.add(report);
    observer_.onStep(report, millisecondsPerStep_);
    files_.open();
    const TrainSettings& settings = trainer_->settings();
    const bool evaluates = stops_.evaluatesAfter(report.step, settings);
    if (evaluates || report.step % settings.logEvery == 0) files_.step(report, millisecondsPerStep_, sample, evaluates);
    return !commands_.waiting() && !files_.checkpointReady() && !watch_.collapse();
}

void SessionTraining::score(bool mayStop) {
    Evaluation scores;
    Image8 last;
    if (!data_.data().test.empty()) {
        observer_.onPhase(SessionPhase::evaluating);
        scores = ResultRenderer(device_, sort_, *trainer_).score(data_.data(), [&](const Image8& render) {
            last = render;
            if (mayStop && commands_.stopped()) throw Stopped();
        });
    }
    evaluatedAt_ = trainer_->stepsDone();
    files_.evaluated(*trainer_, scores, last);
    observer_.onEvaluation(evaluatedAt_, scores);
}

void SessionTraining::scoreTrainingViews() {
    observer_.onPhase(SessionPhase::evaluating);
    ResultRenderer renderer(device_, sort_, *trainer_);
    std::vector<ViewScore> scores;
    for (size_t view = 0; view < data_.data().train.size(); ++view) {
        if (commands_.stopped()) throw Stopped();
        scores.push_back(renderer.score(data_.trainingImage(view)));
    }
    observer_.onTrainingScores(trainer_->stepsDone(), scores);
}

void SessionTraining::end() {
    const uint32_t done = trainer_->stepsDone();
    if (done == endedAt_) return;
    if (complete() && evaluatedAt_ != done) score(false);  // a stop interrupted it
    summary_ = files_.end(*trainer_);
    endedAt_ = done;
    observer_.onEnd(*summary_);
}

void SessionTraining::writeCheckpoint(const std::filesystem::path& path) {
    files_.writeCheckpoint(*trainer_, path);
    if (watch_.healthy()) soundStep_ = trainer_->stepsDone();
}

void SessionTraining::diverged(const Diverged& problem) {
    diverged_.emplace(problem);
    files_.diverged(problem, millisecondsPerStep_);
    observer_.onDivergence(problem);
}

void SessionTraining::leaveDiverged() {
    if (files_.hasFolder() && returnToSoundState()) files_.rescueSplats(*trainer_);
    observer_.onRescue(files_.saved());
}

/// To the last checkpoint or to the watch's copy, which becomes the checkpoint.
bool SessionTraining::returnToSoundState() {
    const std::optional<uint32_t> saved = files_.saved().checkpointStep, copied = watch_.copiedStep(*diverged_);
    const bool sound = saved && (saved == soundStep_ || !trainer_->settings().watch);
    if (sound && saved >= copied) return files_.returnToCheckpoint(*trainer_);
    if (copied.value_or(0) == 0) return files_.returnToCheckpoint(*trainer_);
    files_.rollsBack(*trainer_);
    watch_.restore(*trainer_, *diverged_);
    growth_.forgetScores();
    files_.rescueCheckpoint(*trainer_);
    return true;
}

Gaussians SessionTraining::splats() const { return trainedSplats(device_, *trainer_, data_.data().frame); }

Image8 SessionTraining::render(const Camera& camera) {
    return ResultRenderer(device_, sort_, *trainer_).render(toFrame(data_.data().frame, camera));
}

}  // namespace splat
