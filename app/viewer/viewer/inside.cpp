#include "viewer/viewer/inside.h"

#include <algorithm>

#include <splatwright/core/error.h>
#include "viewer/window/clock.h"

namespace splat::app {

namespace {

bool isSettled(const Viewport& viewport) { return !viewport.waiting() && !viewport.stale(); }

/// Place of the splat that the pixel shows most.
uint32_t foremost(const explain::PixelLook& look) {
    const auto& steps = look.blend.steps;
    return static_cast<uint32_t>(std::ranges::max_element(steps, {}, &shared::BlendStep::weight) - steps.begin());
}

}  // namespace

void Inside::follow(Workspace& work, const Viewport& viewport) {
    const auto& probe = viewport.probe();
    if (!probe || !isSettled(viewport)) return;
    const glm::uvec2 size = viewport.view().size();
    const uint64_t picture = viewport.lastReport().picture;
    const bool isOther = !look_ || pixel_ != probe->pixel;
    if (glm::any(glm::greaterThanEqual(probe->pixel, size)) || (!isOther && picture_ == picture)) return;
    isBehind_ = !isOther && now() < nextReading_;
    if (isBehind_) return;
    pixel_ = probe->pixel;
    picture_ = picture;
    ++reading_;
    look_ = explain::lookAt(work.device(), viewport.view().frame(), size, pixel_, work.world.showsSums());
    if (isOther) choice = {.shown = choice.shown, .place = foremost(*look_), .word = choice.word};
}

void Inside::rest(double seconds) {
    constexpr double kRests = 9, kLongest = 5;  // of reading; seconds
    nextReading_ = std::max(nextReading_, now() + std::min(kRests * seconds, kLongest));
}

bool Inside::isCurrent(const Viewport& viewport) const { return look_ && isSettled(viewport) && picture_ == viewport.lastReport().picture; }

template <class T, class Make>
void Inside::read(Part<T>& part, const Viewport& viewport, const Make& make) {
    if (part.reading == reading_ || !isCurrent(viewport)) return;
    part = {.value = nullptr, .lacks = "", .reading = reading_};  // frees the old one first
    try {
        part.value = make();
    } catch (const Error& e) {
        part.lacks = e.what();
    }
}

const Inside::Part<explain::TileFrame>& Inside::frame(Workspace& work, const Viewport& viewport) {
    if (frame_.reading != reading_ && isCurrent(viewport)) backward_ = {};  // it reads the old one
    read(frame_, viewport, [&] { return drawAgain(work, viewport.view(), pixel_); });
    return frame_;
}

const Inside::Part<InsideBackward>& Inside::backward(Workspace& work, const Viewport& viewport) {
    const Part<explain::TileFrame>& drawn = frame(work, viewport);
    if (backward_.get() && work.training && !backward_.get()->isUpToDate(*work.training)) backward_.reading = 0;
    read(backward_, viewport, [&] {
        checkGradients(work, viewport.view());
        if (!drawn.get()) throw InputError("{}", drawn.lacks);
        photograph_.fit(work, drawn.get()->size());
        return std::make_unique<InsideBackward>(work, *drawn.get(), photograph_);
    });
    return backward_;
}

const InsideDraw* Inside::draw(Workspace& work, const Viewport& viewport) {
    if (!look_) return nullptr;
    const auto model = modelOf(work, *look_);
    const bool isTrained = work.training && model == work.training->model();
    if (isTrained) lastDraw_.follow(work);
    awaitsDraw_ = isTrained && lastDraw_.busy();
    if (isTrained && lastDraw_.get()) return shownDraw_ = lastDraw_.get();
    shownDraw_ = nullptr;
    read(draw_, viewport, [&] { return std::make_unique<InsideDraw>(drawFor(work, model)); });
    return shownDraw_ = draw_.get();
}

uint32_t Inside::numberOf(const InsideDraw& draw) const {
    return std::min(choice.number.value_or(draw.numberOf(look_->tile)), draw.numbers() - 1);
}

}  // namespace splat::app
