#include "viewer/viewer/capturing.h"

#include <utility>

#include <fmt/format.h>

#include <splatwright/core/error.h>
#include "viewer/scene/training.h"

namespace splat::app {

void Capturing::prepare(const std::string& title, std::function<bool(bool, const Training*)> until) {
    try {
        capture_.emplace(std::filesystem::path(fmt::format("viewer_{}", ++number_)));
    } catch (const Error& problem) {
        throw Error("{}; the viewer takes it along with --renderdoc", problem.what());
    }
    title_ = title;
    until_ = std::move(until);
    begun_ = false;
}

void Capturing::captureFrame() {
    prepare("a frame of the viewer", [](bool pictureDone, const Training*) { return pictureDone; });
    start_ = nullptr;
}

void Capturing::captureStep(Training& training) {
    const uint32_t step = training.state().last.step;
    prepare(fmt::format("training step {}", step + 1), [step](bool pictureDone, const Training* t) {
        return pictureDone && (!t || t->state().last.step > step || t->state().phase == SessionPhase::failed);
    });
    start_ = [&training] { training.live().step(); };
}

void Capturing::before() {
    if (!busy() || std::exchange(begun_, true)) return;
    capture_->begin(title_);
    if (start_) start_();
}

std::optional<std::filesystem::path> Capturing::after(bool pictureDone, const Training* training) {
    if (!busy() || !begun_ || !until_(pictureDone, training)) return std::nullopt;
    until_ = nullptr;
    return capture_->end();
}

}  // namespace splat::app
