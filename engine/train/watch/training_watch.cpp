#include <splatwright/train/watch/training_watch.h>

#include <algorithm>
#include <utility>

#include <splatwright/core/log.h>
#include <splatwright/gpu/check.h>
#include <splatwright/train/step/schedule.h>

namespace splat {

namespace {

constexpr uint32_t kSettling = 500;  // steps before a collapse is noticed in which it may have begun

nlohmann::ordered_json toJson(const HealthSampler::Sums& sums) {
    return {{"error", sums.error}, {"flat", sums.flat}, {"steps", sums.steps}};
}

HealthSampler::Sums sumsOf(const nlohmann::ordered_json& object) {
    return {object.at("error").get<double>(), object.at("flat").get<double>(), object.at("steps").get<uint32_t>()};
}

}  // namespace

TrainingWatch::TrainingWatch(gpu::Device& device) {
    for (auto& kept : kept_) kept = std::make_unique<Kept>(device);
}

void TrainingWatch::begin(Trainer& trainer, std::vector<double> flatErrors, const Checkpoint* resumed) {
    settings_ = trainer.settings();
    sampler_ = HealthSampler(std::move(flatErrors));
    detector_ = CollapseDetector(settings_.pruneOpacity);
    collapse_.reset();
    rollbacks_.clear();
    canKeep_ = true;
    if (resumed) load(*resumed);
    forgetCopies();
    take(trainer);
}

/// Checkpoints of commit caf168c and before have no watch.
void TrainingWatch::load(const Checkpoint& resumed) {
    const auto found = resumed.header.find("watch");
    if (found == resumed.header.end()) return;
    try {
        detector_.load(found->at("detector"));
        sampler_.continueFrom(sumsOf(found->at("sums")));
        rollbacks_ = rollbacksOf(found->at("rollbacks"));
    } catch (const nlohmann::json::exception&) {
        throw InputError("{}: watch is {}, expected detector, sums and rollbacks", resumed.path.string(), found->dump());
    }
}

void TrainingWatch::change(Trainer& trainer) {
    settings_ = trainer.settings();
    detector_ = CollapseDetector(settings_.pruneOpacity);
    forgetCopies();
    take(trainer);
}

std::optional<HealthSample> TrainingWatch::add(const StepReport& report) {
    const uint32_t step = report.step - 1;  // counted from 0
    if (step > 0 && levelAt(settings_, step) != levelAt(settings_, step - 1)) detector_.restart();
    std::optional<HealthSample> sample = sampler_.add(report);
    if (!sample || !settings_.watch) return sample;
    if (const auto seen = detector_.add(*sample)) {
        collapse_.emplace(report,
                          fmt::format("training collapses, seen at step {}: {}; lower learning rates or another strategy may help, and "
                                      "watch=false trains on",
                                      report.step, *seen));
    }
    return sample;
}

void TrainingWatch::keep(Trainer& trainer) {
    if (healthy()) take(trainer);
}

void TrainingWatch::take(Trainer& trainer) {
    if (!settings_.watch || !canKeep_ || kept_[0]->copy.step() == trainer.stepsDone()) return;
    std::swap(kept_[0], kept_[1]);
    try {
        trainer.copyState(kept_[0]->copy);
        kept_[0]->detector = detector_;
        kept_[0]->sums = sampler_.sums();
    } catch (const gpu::OutOfMemory& problem) {
        canKeep_ = false;
        forgetCopies();
        spdlog::warn("there is no memory for copies of the training's state: if it collapses, it cannot be rolled back ({})",
                     problem.what());
    }
}

void TrainingWatch::forgetCopies() {
    for (const auto& kept : kept_) kept->copy.forget();
}

/// The newest copy from before a problem may have begun, or the oldest one; null: there is none.
const TrainingWatch::Kept* TrainingWatch::before(const Diverged& problem) const {
    const Kept* oldest = nullptr;
    for (const auto& kept : kept_) {
        if (!kept->copy.step()) continue;
        oldest = kept.get();
        if (*kept->copy.step() + kSettling <= problem.report.step) break;
    }
    return oldest;
}

bool TrainingWatch::mayRollBack(const Diverged& problem) const {
    return settings_.watch && rollbacks_.empty() && before(problem) != nullptr;
}

const Rollback& TrainingWatch::rollBack(Trainer& trainer, const Diverged& problem) {
    constexpr double kRateFactor = 0.5;
    restore(trainer, problem);
    trainer.scaleRates(kRateFactor * trainer.rateScale());
    return rollbacks_.emplace_back(
        Rollback{.from = problem.report.step, .to = trainer.stepsDone(), .rateScale = trainer.rateScale(), .problem = problem.what()});
}

Diverged TrainingWatch::finally(const Diverged& problem) const {
    if (rollbacks_.empty()) return problem;
    const Rollback& last = rollbacks_.back();
    return Diverged(problem.report, fmt::format("{}, again after it was rolled back from step {} to step {} with {} of the learning rates",
                                                problem.what(), last.from, last.to, last.rateScale));
}

void TrainingWatch::restore(Trainer& trainer, const Diverged& problem) {
    const Kept* kept = before(problem);
    SPLAT_CHECK(kept, "there is no copy of the training's state");
    if (kept == kept_[1].get()) std::swap(kept_[0], kept_[1]);
    if (kept_[1]->copy.step() > kept_[0]->copy.step()) kept_[1]->copy.forget();
    trainer.restore(kept_[0]->copy.checkpoint());
    detector_ = kept_[0]->detector;
    sampler_.continueFrom(kept_[0]->sums);
    collapse_.reset();
}

std::optional<uint32_t> TrainingWatch::copiedStep(const Diverged& problem) const {
    const Kept* kept = before(problem);
    return kept ? kept->copy.step() : std::nullopt;
}

nlohmann::ordered_json TrainingWatch::state() const {
    return {{"detector", detector_.state()}, {"sums", toJson(sampler_.sums())}, {"rollbacks", toJson(rollbacks_)}};
}

}  // namespace splat
