#include "viewer/scene/preparing.h"

#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/train/session/run_files.h>
#include "viewer/window/clock.h"

namespace splat::app {

namespace {

/// Thrown to end a preparation that nobody waits for.
struct Stopped {};

}  // namespace

std::optional<double> PreparingStage::secondsLeft() const {
    if (total == 0 || 10 * done < total) return std::nullopt;
    return seconds * (static_cast<double>(total) / static_cast<double>(done) - 1);
}

/// Hands on what the preparation tells.
class Preparing::Watch : public prepare::Observer {
public:
    explicit Watch(Preparing& owner) : owner_(owner) {}

    void onStage(std::string_view name, uint64_t total) override {
        begin_ = now();
        change([&](State& state) { state.stages.push_back({.name = std::string(name), .done = 0, .total = total}); });
    }
    void onProgress(uint64_t done) override {
        change([&](State& state) {
            if (!state.stages.empty()) state.stages.back().done = done;
        });
    }
    void onNote(std::string_view text) override {
        change([&](State& state) { state.notes.emplace_back(text); });
    }
    bool watchesScene() const override { return true; }
    void onScene(const prepare::SparseScene& scene) override {
        change([&](State& state) { state.scene = scene; });
    }
    void check() override {
        if (owner_.stops_) throw Stopped();
        change([](State&) {});
    }

    template <class Change>
    void change(const Change& something) {
        const std::scoped_lock lock(owner_.mutex_);
        something(owner_.state_);
        if (!owner_.state_.stages.empty()) owner_.state_.stages.back().seconds = now() - begin_;
        ++owner_.state_.changes;
    }

private:
    Preparing& owner_;
    double begin_ = now();
};

Preparing::Preparing(prepare::Settings settings) : settings_(std::move(settings)) {
    settings_.isResult = isOfRun;
    thread_ = std::async(std::launch::async, [this] { run(); });
}

Preparing::~Preparing() {
    stops_ = true;
    thread_.wait();
}

void Preparing::run() {
    Watch watch(*this);
    std::optional<prepare::Report> report;
    std::string problem;
    try {
        report = prepareDataset(settings_, watch);
    } catch (const Stopped&) {
        problem = "stopped";
    } catch (const std::exception& failure) {  // bad_alloc as well: a photograph may ask for anything
        problem = failure.what();
    }
    watch.change([&](State& state) {
        state.report = std::move(report);
        state.problem = std::move(problem);
        state.ended = true;
    });
}

bool Preparing::update() {
    const std::scoped_lock lock(mutex_);
    if (state_.changes == shown_.changes) return false;
    const bool wasEmpty = shown_.scene.cameras.empty();
    shown_ = state_;
    arrived_ |= wasEmpty && !shown_.scene.cameras.empty();
    return true;
}

bool Preparing::takeArrival() { return std::exchange(arrived_, false); }

}  // namespace splat::app
