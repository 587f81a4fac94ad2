#include "train/live_training.h"

#include "train/live_worker.h"

namespace splat {

std::string_view nameOf(LivePhase phase) {
    switch (phase) {
        case LivePhase::loading: return "loading";
        case LivePhase::ready: return "ready";
        case LivePhase::running: return "running";
        case LivePhase::paused: return "paused";
        case LivePhase::evaluating: return "evaluating";
        case LivePhase::finished: return "finished";
        case LivePhase::failed: return "failed";
    }
    return "";
}

LiveTraining::LiveTraining(gpu::Device& device, const primitives::RadixSort& sort, LiveOptions options)
    : worker_(std::make_unique<LiveWorker>(device, sort, std::move(options))) {}

LiveTraining::~LiveTraining() = default;

void LiveTraining::start() {
    worker_->commands().post([worker = worker_.get()] { worker->start(); });
}
void LiveTraining::pause() {
    worker_->commands().post([worker = worker_.get()] { worker->pause(); });
}
void LiveTraining::step() {
    worker_->commands().post([worker = worker_.get()] { worker->step(); });
}
void LiveTraining::reset(const TrainSettings& settings) {
    worker_->commands().post([worker = worker_.get(), settings] { worker->reset(settings); });
}
void LiveTraining::change(const TrainSettings& settings) {
    worker_->commands().post([worker = worker_.get(), settings] { worker->change(settings); });
}
void LiveTraining::evaluate() {
    worker_->commands().post([worker = worker_.get()] { worker->evaluateNow(); });
}
void LiveTraining::saveSplats(const std::filesystem::path& path) {
    worker_->commands().post([worker = worker_.get(), path] { worker->saveSplats(path); });
}
void LiveTraining::saveCheckpoint(const std::filesystem::path& path) {
    worker_->commands().post([worker = worker_.get(), path] { worker->saveCheckpoint(path); });
}
LiveState LiveTraining::state() const { return worker_->state(); }
std::vector<LiveView> LiveTraining::views() const { return worker_->data().views(); }
std::optional<Photograph> LiveTraining::photograph(size_t view) const { return worker_->data().photograph(view); }
bool LiveTraining::withModel(const std::function<void(const LiveModel&)>& draw) { return worker_->withModel(draw); }

}  // namespace splat
