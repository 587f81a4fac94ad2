#include <splatwright/train/watch/growth_watch.h>

#include <utility>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/train/step/schedule.h>
#include <splatwright/train/step/withheld_views.h>

namespace splat {

namespace {

constexpr const char* kGrowth = "growth";
constexpr const char* kOpen = "open";

GrowthEnd growthEndOf(const TrainSettings& s) { return GrowthEnd(s.growthGain, fullSizeStep(s)); }

/// Scores are compared view by view. withheld: 0 if there are none any more.
void checkViews(const Checkpoint& resumed, const nlohmann::ordered_json& scores, size_t withheld) {
    for (const auto& score : scores) {
        const auto views = score.find("views");
        if (views == score.end()) continue;
        if (withheld == 0) withheld = views->size();
        if (views->size() != withheld)
            throw InputError("{}: growth has {} views in the score of step {}, expected {}", resumed.path.string(), views->size(),
                             score["step"].get<uint32_t>(), withheld);
    }
}

}  // namespace

void GrowthWatch::begin(const Trainer& trainer, size_t trainingViews, const std::function<Photograph(size_t)>& image,
                        const Checkpoint* resumed) {
    settings_ = trainer.settings();
    trainingViews_ = trainingViews;
    views_.clear();
    for (const size_t view : withheldViews(settings_, trainingViews)) views_.push_back(image(view));
    growth_ = growthEndOf(settings_);
    best_.forget();
    endedAt_.reset();
    open_ = true;
    if (resumed) load(*resumed);
    open_ = open_ && !views_.empty();
}

/// A checkpoint of an earlier build has no `growth`.
void GrowthWatch::load(const Checkpoint& resumed) {
    const auto found = resumed.header.find(kGrowth);
    if (found == resumed.header.end()) return;
    try {
        const GrowthReport report = growthReportOf(*found);
        checkViews(resumed, found->at("scores"), views_.size());
        for (const WithheldScore& score : report.scores) growth_.add(score);
        endedAt_ = report.endedAt;
        open_ = found->at(kOpen).get<bool>();
    } catch (const nlohmann::json::exception&) {
        throw InputError("{}: growth is {}, expected withheld_views, ended_at, scores and open", resumed.path.string(), found->dump());
    }
    best_.loadFrom(resumed);
}

void GrowthWatch::change(const Trainer& trainer) {
    const TrainSettings before = std::exchange(settings_, trainer.settings());
    if (open_) {
        forgetScores();
        // Views that were trained once can no longer tell anything.
        const bool trained = trainer.stepsDone() > before.densifyUntil;
        if (trained || withheldViews(settings_, trainingViews_).empty()) close();
    }
}

void GrowthWatch::forgetScores() {
    if (!open_) return;
    growth_ = growthEndOf(settings_);
    best_.forget();
}

void GrowthWatch::close() {
    open_ = false;
    best_.release();
}

std::optional<uint32_t> GrowthWatch::nextScore(uint32_t done) const { return open_ ? splat::nextScore(done, settings_) : std::nullopt; }

bool GrowthWatch::add(Trainer& trainer, const WithheldScore& score) {
    if (growth_.add(score)) best_.keep(trainer);
    if (growth_.reached()) return true;
    if (!nextScore(score.step)) close();
    return false;
}

void GrowthWatch::end(Trainer& trainer) {
    if (const auto best = best_.state()) trainer.restore(*best);
    endedAt_ = trainer.stepsDone();
    close();
}

void GrowthWatch::saveIn(Checkpoint& checkpoint) const {
    if (settings_.withhold == 0) return;
    auto& growth = checkpoint.header[kGrowth] = toJson(report());
    growth[kOpen] = open_;
    best_.saveIn(checkpoint);
}

}  // namespace splat
