#include <splatwright/train/parts/colour_grids.h>

#include <array>

#include <splatwright/train/parts/colour_grid_settings.h>
#include <splatwright/train/settings/decayed_rate.h>
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

ColourGrids::ColourGrids(gpu::Device& d, const TrainSettings& settings, size_t views, uint32_t pixels, uint32_t number)
    : settings_(settings),
      number_(number),
      cells_(glm::uvec2(settings.of<ColourGridSettings>().gridSize), settings.of<ColourGridSettings>().gridLevels),
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

gpu::BufferSlice ColourGrids::recordColours(gpu::Commands& c, const StepJob& job) const {
    const ViewSelection& view = job.view;
    c.dispatch(
        kernels::centre_colour_grid{.grid = grid(view.index), .sums = sums_, .totals = totals_, .centred = centred_, .cells = cellCount_},
        cellCount_);
    c.dispatch(kernels::apply_colour_grid{.colourChanges = job.colourChanges,
                                          .grid = centred_,
                                          .colours = job.render,
                                          .corrected = corrected_,
                                          .size = {view.width, view.height},
                                          .cells = cells_},
               uint64_t{view.width} * view.height);
    return corrected_;
}

void ColourGrids::recordLoss(gpu::Commands& c, const StepJob&, gpu::BufferSlice sums, uint32_t first) const {
    c.dispatchGroups(kernels::sum_grid_variation{.sums = sums, .grid = centred_, .cells = cells_, .first = first}, 1);
}

void ColourGrids::recordAfterLoss(gpu::Commands& c, const StepJob& job) const {
    const glm::uvec2 size(job.view.width, job.view.height);
    c.dispatchGroups(kernels::colour_grid_gradient{.colourChanges = job.colourChanges,
                                                   .colours = job.render,
                                                   .colourGradients = job.colourGradients,
                                                   .gridGradients = gradients_,
                                                   .uses = uses_,
                                                   .grid = centred_,
                                                   .size = size,
                                                   .cells = cells_,
                                                   .variation = static_cast<float>(settings_.of<ColourGridSettings>().gridTv)},
                     cellCount_);
    c.dispatch(kernels::colour_grid_picture_gradient{.colourChanges = job.colourChanges,
                                                     .grid = centred_,
                                                     .colours = job.render,
                                                     .colourGradients = job.colourGradients,
                                                     .size = size,
                                                     .cells = cells_},
               uint64_t{size.x} * size.y);
}

void ColourGrids::recordAfterUpdate(gpu::Commands& c, const StepJob& job) const {
    const uint32_t view = job.view.index;
    c.dispatchGroups(
        kernels::count_grid_step{.state = job.frame.state, .colourChanges = job.colourChanges, .corrections = corrections_, .view = view},
        1);
    const uint64_t first = uint64_t{view} * pitch_;
    c.dispatch(kernels::step_colour_grid{.state = job.frame.state,
                                         .colourChanges = job.colourChanges,
                                         .step = job.parameters,
                                         .corrections = corrections_,
                                         .gridGradients = gradients_,
                                         .uses = uses_,
                                         .grid = grid(view),
                                         .moments = moments_.slice(first * sizeof(shared::Moments4), rows_ * sizeof(shared::Moments4)),
                                         .viewUses = viewUses_,
                                         .sums = sums_,
                                         .totals = totals_,
                                         .view = view,
                                         .cells = cellCount_,
                                         .number = number_},
               cellCount_);
}

std::vector<std::pair<std::string, const gpu::Buffer*>> ColourGrids::state() const {
    return {{"colour_grids", &grids_},        {"colour_grid_moments", &moments_}, {"colour_grid_corrections", &corrections_},
            {"colour_grid_uses", &viewUses_}, {"colour_grid_sums", &sums_},       {"colour_grid_totals", &totals_}};
}

namespace {

// Its gradient: shaders/lib/train/grid_variation.slang.
constexpr std::array kTerms{LossTerm{"grid_variation",
                                     [](const TrainSettings& s, uint32_t) {
                                         const auto& own = s.of<ColourGridSettings>();
                                         return own.colourGrid ? own.gridTv : 0.0;
                                     },
                                     [](double sum, const LossSizes&) { return sum; }}};

}  // namespace

extern const StepPartRow kColourGridPart{
    .name = "colour grids",
    .settings = SettingsPart::byDefault<ColourGridSettings>,
    .wanted = [](const TrainSettings& s) { return s.of<ColourGridSettings>().colourGrid; },
    .number =
        [](const TrainSettings& s, uint32_t step) {
            const auto& own = s.of<ColourGridSettings>();
            return decayedRate(own.lrGrid, own.lrGridFinal, s, step);
        },
    .isRate = true,
    .transformsColours = true,
    .terms = kTerms,
    .make = [](const StepPartInputs& in) -> std::unique_ptr<StepPart> {
        return std::make_unique<ColourGrids>(in.device(), in.settings(), in.cameras.size(), in.pixels(), in.number);
    },
};

}  // namespace splat
