#include "viewer/scene/view_strip.h"

#include <algorithm>
#include <limits>

#include <splatwright/core/log.h>
#include <splatwright/gpu/check.h>
#include <splatwright/train/evaluate/evaluate.h>

namespace splat::app {

std::vector<size_t> stripViews(std::span<const LiveView> views, size_t atMost) {
    const bool tests = std::ranges::any_of(views, &LiveView::isTest);
    std::vector<size_t> all, chosen;
    for (size_t view = 0; view < views.size(); ++view)
        if (views[view].isTest == tests) all.push_back(view);
    for (const size_t i : spreadEvenly(all.size(), atMost)) chosen.push_back(all[i]);
    return chosen;
}

uint32_t stripInterval(uint32_t steps) { return std::max(steps / ViewStrip::kPictures, 1u); }

ViewStrip::ViewStrip(gpu::Device& device, const primitives::RadixSort& sort, World& world)
    : device_(device), sort_(sort), world_(world), difference_(device) {}

/// Frames may show the pictures.
ViewStrip::~ViewStrip() {
    try {
        device_.waitForAll();
    } catch (const Error& e) {
        spdlog::debug("while leaving a strip: {}", e.what());
    }
}

/// A new start, or other images, begin new rows.
void ViewStrip::begin(const Training& training) {
    if (!rows_.empty()) device_.waitForAll();  // a frame may show them
    rows_.clear();
    for (const size_t view : stripViews(training.views(), kMostViews)) rows_.push_back({.view = view, .pictures = {}});
    data_ = training.state().dataGeneration;
    roundStep_ = 0;
    view_.reset();
}

bool ViewStrip::isDue(const Training& training) const {
    const uint32_t step = training.shownStep().value_or(0);
    if (step == 0) return false;
    const bool ends = step == training.state().settings.steps && roundStep_ != step;
    return ends || roundStep_ == 0 || step >= roundStep_ + stripInterval(training.state().settings.steps);
}

bool ViewStrip::update(Training& training) {
    if (training.views().empty() || fails_) return false;
    if (data_ != training.state().dataGeneration || training.shownStep().value_or(0) < roundStep_) begin(training);
    const bool news = takeCompared(training);
    if (difference_.busy()) return news;
    if (view_) {
        if (view_->poll()) compare(training);
    } else if (isDue(training)) {
        roundStep_ = *training.shownStep();
        next_ = 0;
        draw(training);
    }
    return news;
}

/// Submits the picture of the next row's view, in the size of its thumbnail.
void ViewStrip::draw(Training& training) {
    const glm::ivec2 size(training.thumbnail(rows_[next_].view).size);
    try {
        if (!view_) view_.emplace(device_, sort_, world_);
        view_->settings.background = training.state().settings.background;
        view_->models = std::vector{training.model()};
        view_->draw(resized(training.views()[rows_[next_].view].camera, size.x, size.y));
    } catch (const gpu::OutOfMemory& problem) {
        spdlog::debug("no more pictures of views: {}", problem.what());
        view_.reset();
        fails_ = true;
    }
}

void ViewStrip::compare(Training& training) {
    const gpu::Texture& image = training.thumbnail(rows_[next_].view);
    difference_.ask({.first = view_->picture(), .second = image.texels, .size = image.size}, 1, true);
}

bool ViewStrip::takeCompared(Training& training) {
    const auto answer = difference_.answer();
    if (!answer || !view_) return false;
    const auto words = difference_.first();
    Picture picture{.step = roundStep_, .psnr = answer->psnr(), .texels = {}, .texture = {}};
    picture.texels = device_.buffer<uint32_t>("picture of a view", words.size(), gpu::Residence::staging);
    std::ranges::copy(words, picture.texels.mapped<uint32_t>());
    picture.texture = {picture.texels, answer->size};
    rows_[next_++].pictures.push_back(std::move(picture));
    if (next_ < rows_.size()) {
        draw(training);
    } else {
        view_.reset();
    }
    return true;
}

const ViewStrip::Row* ViewStrip::worst() const {
    const auto psnr = [](const Row& row) {
        return row.pictures.empty() ? std::numeric_limits<double>::infinity() : row.pictures.back().psnr;
    };
    const auto found = std::ranges::min_element(rows_, {}, psnr);
    return found == rows_.end() || found->pictures.empty() ? nullptr : &*found;
}

}  // namespace splat::app
