#include "viewer/scene/compare_view.h"

#include <algorithm>

#include <splatwright/core/log.h>
#include "viewer/window/clock.h"

namespace splat::app {

namespace {

constexpr double kScorePause = 0.25;  // seconds without a thread for scores, so that a model in training leaves some of the CPU

}  // namespace

CompareView::CompareView(gpu::Device& device, const primitives::RadixSort& sort, World& world)
    : device_(device), sort_(sort), world_(world) {}

/// Another thread reads the kept pictures, and a frame may show the others.
CompareView::~CompareView() {
    scorer_.finish();
    try {
        device_.waitForAll();
    } catch (const Error& e) {
        spdlog::debug("while leaving a comparison: {}", e.what());
    }
}

/// What is in flight is of other pictures: it is taken, and not shown.
void CompareView::begin(const Compared& second) {
    second_ = second;
    psnr_.reset();
    scores_.reset();
    asked_ = kept_ = {};
    if (isOn() || !view_) return;
    device_.waitForAll();  // a frame may show it
    view_.reset();
    drawing_ = false;
}

void CompareView::draw(const WorldView& first, const Compared& second) {
    if (second != second_) begin(second);
    groundTruth_ = second.with == CompareWith::groundTruth && first.groundTruth ? first.groundTruth->pixels : gpu::BufferSlice{};
    texture_ = {groundTruth_, groundTruth_ ? first.size() : glm::uvec2(0)};
    if (second.with != CompareWith::model && second.with != CompareWith::renderMode) return;
    if (!view_) view_.emplace(device_, sort_, world_);
    view_->settings = first.settings;
    view_->groundTruth = first.groundTruth;
    view_->backdrop = first.backdrop;
    view_->orthographic = first.orthographic;
    view_->models = second.with == CompareWith::model ? World::Chosen(std::vector{second.model}) : std::nullopt;
    if (second.with == CompareWith::renderMode) view_->settings.picture = second.mode;
    view_->draw(first.camera());
    texture_ = {view_->picture(), view_->size()};
    drawing_ = true;
}

bool CompareView::poll(const WorldView& first, double white) {
    if (drawing_) {
        drawing_ = !view_->poll();
        view_->reports();
        texture_ = {view_->picture(), view_->size()};
    }
    const bool news = takeDifference();
    const bool scored = takeScores();
    if (picture() && texture_.size == first.size()) compare(first, white);
    return news || scored;
}

/// Submits the difference of the newest pair, unless one is in flight or there is one already.
void CompareView::compare(const WorldView& first, double white) {
    shown_ = {first.pictures(), groundTruth_ ? 0 : view_->pictures()};
    const bool keeps = !scorer_.busy() && scored_ != shown_ && kept_ != shown_ && now() >= nextScore_;
    if ((shown_ == asked_ && white == askedWhite_ && !keeps) || (difference_ && difference_->busy())) return;
    if (!difference_) difference_.emplace(device_);
    difference_->ask({.first = first.picture(), .second = texture_.texels, .size = texture_.size}, static_cast<float>(white), keeps);
    if (difference_->picture().buffer != differenceTexture_.texels.buffer) psnr_.reset();  // it has grown: there is none until the answer
    asked_ = shown_;
    askedWhite_ = white;
    if (keeps) kept_ = shown_;
}

bool CompareView::takeDifference() {
    const auto answer = difference_ ? difference_->answer() : std::nullopt;
    if (answer && answer->keeps) scorer_.start(difference_->first(), difference_->second(), answer->size);
    if (!answer || asked_ == Pair{}) return false;
    psnr_ = answer->psnr();
    differenceTexture_ = {difference_->picture(), answer->size};
    return true;
}

bool CompareView::takeScores() {
    auto scores = scorer_.poll();
    if (!scores || kept_ == Pair{}) return false;
    scores_ = std::move(scores);
    scored_ = kept_;
    nextScore_ = now() + kScorePause;
    showFlip();
    return true;
}

/// The picture that is written is in no frame: it was last shown before the scores before these, whose pictures the GPU has copied since.
void CompareView::showFlip() {
    shownFlip_ = 1 - shownFlip_;
    FlipPicture& flip = flips_[shownFlip_];
    if (!flip.texels || flip.texels.bytes() < scores_->flipMap.size() * sizeof(uint32_t))
        flip.texels = device_.buffer<uint32_t>("FLIP", scores_->flipMap.size(), gpu::Residence::staging);
    std::ranges::copy(scores_->flipMap, flip.texels.mapped<uint32_t>());
    flip.texture = {flip.texels, scores_->size};
}

const gpu::Texture* CompareView::map(CompareLayout layout) const {
    if (layout != CompareLayout::flip) return psnr_ && isOn() ? &differenceTexture_ : nullptr;
    return scores_ && isOn() ? &flips_[shownFlip_].texture : nullptr;
}

}  // namespace splat::app
