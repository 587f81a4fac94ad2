#include <splatwright/train/views/colour_grids.h>

#include <array>

#include <splatwright/train/loss/loss.h>
#include "kernels/apply_colour_grid.h"
#include "kernels/centre_colour_grid.h"
#include "kernels/colour_grid_gradient.h"
#include "kernels/colour_grid_picture_gradient.h"
#include "kernels/count_grid_step.h"
#include "kernels/step_colour_grid.h"
#include "kernels/sum_grid_variation.h"

namespace splat {

namespace {

constexpr uint32_t kAlignment = 256 / sizeof(glm::vec4);  // rows; every grid then starts at a multiple of 256 bytes

std::vector<glm::vec4> identities(size_t rows) {
    std::vector<glm::vec4> all(rows, glm::vec4(0));
    for (size_t row = 0; row < rows; ++row) all[row][static_cast<int>(row % 3)] = 1;
    return all;
}

}  // namespace

ColourGrids::ColourGrids(gpu::Device& d, const ColourGridSettings& settings, size_t views, uint32_t pixels)
    : cells_(settings.gridSize, settings.gridSize, settings.gridLevels),
      cellCount_(cells_.x * cells_.y * cells_.z),
      rows_(3 * cellCount_),
      pitch_((rows_ + kAlignment - 1) / kAlignment * kAlignment),
      grids_(d.buffer<glm::vec4>("colour grids", views * pitch_)),
      moments_(d.buffer<shared::Moments4>("moments of colour grids", views * pitch_)),
      corrections_(d.buffer<glm::vec2>("bias corrections of colour grids", views)),
      viewUses_(d.buffer<float>("uses of colour grids", views * cellCount_)),
      sums_(d.buffer<glm::vec4>("colour grid sums", rows_)),
      totals_(d.buffer<float>("colour grid totals", cellCount_)),
      corrected_(d.buffer<glm::vec3>("corrected colours", pixels)),
      centred_(d.buffer<glm::vec4>("centred colour grid", rows_)),
      gradients_(d.buffer<glm::vec4>("colour grid gradient", rows_)),
      uses_(d.buffer<float>("colour grid uses", cellCount_)) {
    const std::vector<glm::vec4> start = identities(rows_);
    d.run("clear colour grids", [&](gpu::Commands& c) {
        for (const auto& [name, buffer] : state()) c.fill(*buffer, 0);
    });
    for (uint32_t view = 0; view < views; ++view) d.upload(grid(view), start);
}

gpu::BufferSlice ColourGrids::grid(uint32_t view) const {
    return grids_.slice(uint64_t{view} * pitch_ * sizeof(glm::vec4), rows_ * sizeof(glm::vec4));
}

void ColourGrids::recordApply(gpu::Commands& c, const ViewSelection& view, gpu::BufferSlice colours) const {
    c.dispatch(
        kernels::centre_colour_grid{.grid = grid(view.index), .sums = sums_, .totals = totals_, .centred = centred_, .cells = cellCount_},
        cellCount_);
    c.dispatch(
        kernels::apply_colour_grid{
            .grid = centred_, .colours = colours, .corrected = corrected_, .size = {view.width, view.height}, .cells = cells_},
        view.width * view.height);
}

void ColourGrids::recordGradient(gpu::Commands& c, const ViewSelection& view, gpu::BufferSlice colours, gpu::BufferSlice gradients,
                                 float variationWeight) const {
    const glm::uvec2 size(view.width, view.height);
    c.dispatchGroups(kernels::colour_grid_gradient{.colours = colours,
                                                   .colourGradients = gradients,
                                                   .gridGradients = gradients_,
                                                   .uses = uses_,
                                                   .grid = centred_,
                                                   .size = size,
                                                   .cells = cells_,
                                                   .variation = variationWeight},
                     cellCount_);
    c.dispatch(
        kernels::colour_grid_picture_gradient{
            .grid = centred_, .colours = colours, .colourGradients = gradients, .size = size, .cells = cells_},
        view.width * view.height);
}

void ColourGrids::recordStep(gpu::Commands& c, const ViewSelection& view, const FrameBuffers& frame, gpu::BufferSlice step) const {
    c.dispatchGroups(kernels::count_grid_step{.state = frame.state, .corrections = corrections_, .view = view.index}, 1);
    const uint64_t first = uint64_t{view.index} * pitch_;
    c.dispatch(kernels::step_colour_grid{.state = frame.state,
                                         .step = step,
                                         .corrections = corrections_,
                                         .gridGradients = gradients_,
                                         .uses = uses_,
                                         .grid = grid(view.index),
                                         .moments = moments_.slice(first * sizeof(shared::Moments4), rows_ * sizeof(shared::Moments4)),
                                         .viewUses = viewUses_,
                                         .sums = sums_,
                                         .totals = totals_,
                                         .view = view.index,
                                         .cells = cellCount_},
               cellCount_);
}

std::vector<std::pair<std::string, const gpu::Buffer*>> ColourGrids::state() const {
    return {{"colour_grids", &grids_},        {"colour_grid_moments", &moments_}, {"colour_grid_corrections", &corrections_},
            {"colour_grid_uses", &viewUses_}, {"colour_grid_sums", &sums_},       {"colour_grid_totals", &totals_}};
}

namespace {

// Its gradient: shaders/lib/train/grid_variation.slang.
constexpr std::array kTerms{
    LossTerm{"grid_variation", [](const TrainSettings& s, uint32_t) { return s.colourGrid ? s.gridTv : 0.0; },
             [](double sum, const LossSizes&) { return sum; }},
};

LossRecorder makeVariation(gpu::Device&) {
    return [](gpu::Commands& c, const LossJob& job, gpu::BufferSlice sums, uint32_t first) {
        c.dispatchGroups(kernels::sum_grid_variation{.sums = sums, .grid = job.grid.rows, .cells = job.grid.cells, .first = first}, 1);
    };
}

}  // namespace

extern const LossRow kGridVariation{.terms = kTerms, .make = makeVariation};

}  // namespace splat
