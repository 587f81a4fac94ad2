#include <splatwright/train/session/session.h>

#include <utility>

#include <splatwright/train/session/session_runner.h>
#include <splatwright/train/step/training_costs.h>

namespace splat {

std::string_view nameOf(SessionPhase phase) {
    switch (phase) {
        case SessionPhase::loading: return "loading";
        case SessionPhase::ready: return "ready";
        case SessionPhase::running: return "running";
        case SessionPhase::paused: return "paused";
        case SessionPhase::evaluating: return "evaluating";
        case SessionPhase::finished: return "finished";
        case SessionPhase::failed: return "failed";
    }
    return "";
}

TrainingSession::TrainingSession(gpu::Device& device, SessionOptions options)
    : runner_(std::make_unique<SessionRunner>(device, std::move(options))) {}

TrainingSession::~TrainingSession() = default;

std::optional<RunSummary> TrainingSession::run() { return runner_->run(); }
void TrainingSession::serve() { runner_->serve(); }

void TrainingSession::start() {
    runner_->commands().post([runner = runner_.get()] { runner->start(); });
}
void TrainingSession::pause() {
    runner_->commands().post([runner = runner_.get()] { runner->pause(); });
}
void TrainingSession::step() {
    runner_->commands().post([runner = runner_.get()] { runner->step(); });
}
void TrainingSession::restart(const TrainSettings& settings) {
    runner_->commands().post([runner = runner_.get(), settings] { runner->restart(settings); });
}
void TrainingSession::change(const TrainSettings& settings) {
    runner_->commands().post([runner = runner_.get(), settings] { runner->change(settings); });
}
void TrainingSession::evaluateTrainingViews() {
    runner_->commands().post([runner = runner_.get()] { runner->evaluateTrainingViews(); });
}
void TrainingSession::removeFloaters(double times) {
    runner_->commands().post([runner = runner_.get(), times] { runner->removeFloaters(times); });
}
void TrainingSession::evaluate() {
    runner_->commands().post([runner = runner_.get()] { runner->evaluateNow(); });
}
void TrainingSession::saveSplats(const std::filesystem::path& path, const SplatWriter* writer) {
    runner_->commands().post([runner = runner_.get(), path, writer] { runner->saveSplats(path, writer); });
}
void TrainingSession::saveCheckpoint(const std::filesystem::path& path) {
    runner_->commands().post([runner = runner_.get(), path] { runner->saveCheckpoint(path); });
}
void TrainingSession::inspect(std::function<void(const Trainer&)> look) {
    runner_->commands().post([runner = runner_.get(), look = std::move(look)] {
        if (runner->training().trainer()) look(*runner->training().trainer());
    });
}
void TrainingSession::stop() { runner_->commands().stop(); }
uint32_t TrainingSession::pending() const { return runner_->commands().pending(); }

uint32_t TrainingSession::stepsDone() const { return runner_->training().trainer() ? runner_->training().trainer()->stepsDone() : 0; }
Gaussians TrainingSession::splats() const { return runner_->training().splats(); }
Image8 TrainingSession::render(const Camera& camera) { return runner_->training().render(camera); }
TrainingCosts TrainingSession::costs() const { return runner_->trainer().costs(); }
int TrainingSession::shDegree() const { return runner_->training().trainer().shDegree(); }
std::optional<Photograph> TrainingSession::viewImage(size_t view) const { return runner_->training().data().viewImage(view); }
bool TrainingSession::withModel(const std::function<void(const SessionModel&)>& draw) {
    return runner_->training().trainer().withModel(draw);
}

}  // namespace splat
