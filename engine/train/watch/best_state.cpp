#include <splatwright/train/watch/best_state.h>

#include <string_view>
#include <utility>

#include <splatwright/core/log.h>
#include <splatwright/gpu/check.h>

namespace splat {

namespace {

constexpr const char* kHeader = "best";
constexpr std::string_view kPrefix = "best ";

}  // namespace

void BestState::keep(Trainer& trainer) {
    forget();
    try {
        trainer.copyState(copy_);
    } catch (const gpu::OutOfMemory& problem) {
        spdlog::warn("there is no memory for a copy of the best state: if growth ends early, it ends where this is seen ({})",
                     problem.what());
    }
}

void BestState::forget() {
    copy_.forget();
    loaded_.reset();
}

void BestState::release() {
    forget();
    copy_.release();
}

std::optional<Checkpoint> BestState::state() const { return copy_.step() ? copy_.checkpoint() : loaded_; }

void BestState::saveIn(Checkpoint& checkpoint) const {
    std::optional<Checkpoint> best = state();
    if (!best) return;
    checkpoint.header[kHeader] = std::move(best->header);
    for (CheckpointSection& section : best->sections)
        checkpoint.sections.push_back({std::string(kPrefix) + section.name, section.stride, std::move(section.bytes)});
}

void BestState::loadFrom(const Checkpoint& checkpoint) {
    forget();
    if (!checkpoint.header.contains(kHeader)) return;
    loaded_ = Checkpoint{checkpoint.header[kHeader], {}, checkpoint.path};
    for (const CheckpointSection& section : checkpoint.sections) {
        if (section.name.starts_with(kPrefix))
            loaded_->sections.push_back({section.name.substr(kPrefix.size()), section.stride, section.bytes});
    }
}

}  // namespace splat
