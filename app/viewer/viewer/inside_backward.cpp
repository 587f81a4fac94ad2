#include "viewer/viewer/inside_backward.h"

#include <algorithm>

#include <splatwright/core/error.h>
#include <splatwright/train/loss/picture_gradient.h>
#include "viewer/scene/view_image.h"

namespace splat::app {

namespace {

constexpr const char* kTree = "tree-cas";  // whose sums TileBackward traces

Photograph inSize(Photograph photograph, glm::uvec2 size) {
    const auto width = static_cast<int>(size.x), height = static_cast<int>(size.y);
    photograph.image = resampled(photograph.image, width, height);
    if (!photograph.coverage.pixels.empty()) photograph.coverage = resampled(photograph.coverage, width, height);
    photograph.camera.width = width;
    photograph.camera.height = height;
    photograph.depth = {};
    return photograph;
}

}  // namespace

std::unique_ptr<explain::TileFrame> drawAgain(Workspace& work, const WorldView& view, glm::uvec2 pixel) {
    explain::DrawnGaussians drawn{
        .gaussians = work.world.buffers(),
        .parameters = view.parameters(),
        .recordProjection = [&view](gpu::Commands& c, const PictureJob& job) { view.recordProjection(c, job.frame); }};
    return std::make_unique<explain::TileFrame>(work.device(), work.sort(), std::move(drawn), view.size(), pixel);
}

void checkGradients(const Workspace& work, const WorldView& view) {
    if (!work.training || !work.borrowedView)
        throw InputError(
            "Gradients say how a render should change to look like a photograph: open a dataset, and look through one of its cameras "
            "(PageDown).");
    const RenderMode& mode = view.mode();
    if (mode.paint != shared::kPaintColour || mode.shape != shared::kShapeSplat || mode.traversal != TileTraversal::blend)
        throw InputError("A photograph has colours: choose the render mode Colour.");
    if (work.world.showsPictures(view.models))
        throw InputError("Blobs of a fitted picture have a backward pass of their own, which is not shown here.");
}

void ViewPhotograph::fit(Workspace& work, glm::uvec2 size) {
    const uint64_t generation = work.training->state().dataGeneration;
    if (targets_ && view_ == work.borrowedView && size_ == size && generation_ == generation) return;
    targets_.reset();
    auto photograph = work.training->live().viewImage(*work.borrowedView);
    if (!photograph) throw InputError("The photographs are being loaded.");
    name_ = photograph->name;
    Photograph resized = inSize(std::move(*photograph), size);
    targets_ = std::make_unique<Targets>(work.device(), std::span(&resized, 1), UINT64_MAX);
    view_ = work.borrowedView;
    size_ = size;
    generation_ = generation;
}

InsideBackward::Settings InsideBackward::settingsOf(const Training& training) {
    const TrainSettings& settings = training.settings;
    const auto& decisions = training.state().costs.accumulations;
    return {.ssimLambda = static_cast<float>(settings.ssimLambda),
            .l2Share = static_cast<float>(settings.l2Share),
            .clamps = settings.clampGradients,
            .method = decisions.empty() ? firstMethod(settings) : decisions.back().chosen};
}

InsideBackward::InsideBackward(Workspace& work, const explain::TileFrame& tile, const ViewPhotograph& photograph)
    : view_(photograph.name()),
      settings_(settingsOf(*work.training)),
      colourGradients_(photometricGradient(work.device(), tile.frame(), tile.parameters(), photograph.targets(), tile.size(),
                                           {.ssimLambda = settings_.ssimLambda, .l2Share = settings_.l2Share})),
      tile_(tile, colourGradients_, settings_.clamps) {
    const AccumulationMethod tree{.row = &accumulationByName(kTree)};
    method_ = isTrainings() ? settings_.method : tree;
    treeGradients_ = tile_.gradients(tree);
    gradients_ = method_ == tree ? treeGradients_ : tile_.gradients(method_);
}

const explain::TreeTrace& InsideBackward::tree(uint32_t place) {
    if (!tree_ || tree_->place != place) tree_ = tile_.tree(place);
    return *tree_;
}

const std::vector<explain::MethodTrace>& InsideBackward::methods() {
    if (methods_.empty()) methods_ = tile_.methods();
    return methods_;
}

const std::vector<explain::RetryTrace>& InsideBackward::retries() {
    if (retries_.empty()) retries_ = tile_.retries();
    return retries_;
}

void InsideBackward::readAll(uint32_t place) {
    if (reached() > 0) tree(std::min(place, reached() - 1));
    methods();
    retries();
    lanes();
}

const LaneCounts& InsideBackward::lanes() {
    if (!lanes_) lanes_ = tile_.lanes();
    return *lanes_;
}

}  // namespace splat::app
