// The recording of a picture. What goes around it is in world_view.cpp.
#include "kernels/count_splats.h"
#include "kernels/draw_nearest.h"
#include "kernels/finish_picture.h"
#include "kernels/outline_selection.h"
#include "kernels/project_world.h"
#include "kernels/reduce_range.h"
#include "kernels/select_pixels.h"
#include "view/told_words.h"
#include "view/world_view.h"

namespace splat {

namespace {

constexpr VkDeviceSize kWord = sizeof(uint32_t);

gpu::BufferSlice element(const gpu::Buffer& buffer, uint64_t index, uint64_t bytes) { return buffer.slice(index * bytes, bytes); }

uint64_t pixelsOf(glm::uvec2 size) { return uint64_t{size.x} * size.y; }

}  // namespace

gpu::Commands WorldView::record(uint32_t slot, const Plan& plan) const {
    gpu::Commands c(device_, "picture");
    recordInputs(c, slot);
    c.stage("project");
    forward_.recordBegin(c, world_.buffers().count, *frame_);
    recordProjection(c, *plan.row);
    forward_.recordLists(c, *frame_, plan.size);
    recordWalk(c, plan);
    recordFinish(c, plan);
    if (plan.outline > 0) recordOutline(c, plan);
    recordTelling(c, slot);
    c.end();
    return c;
}

void WorldView::recordInputs(gpu::Commands& c, uint32_t slot) const {
    c.copy(element(newModels_, slot, ids_ * sizeof(shared::ModelView)), models_);
    c.copy(element(newPictures_, slot, sizeof(shared::PictureParameters)), pictures_);
    c.copy(element(newFrames_, slot, sizeof(shared::FrameParameters)), frame_->parameters);
}

void WorldView::recordProjection(gpu::Commands& c, const PictureRow& row) const {
    const GaussianModel& g = world_.buffers();
    c.dispatchIndirect(kernels::project_world{.activeCount = frame_->activeCount,
                                              .picture = pictures_,
                                              .models = models_,
                                              .counts = world_.counts(),
                                              .marks = world_.marks(),
                                              .gradients = world_.gradients(),
                                              .projected = frame_->projected,
                                              .tileCounts = frame_->tileCounts,
                                              .means = g.means,
                                              .rotations = g.rotations,
                                              .logScales = g.logScales,
                                              .logitOpacities = g.logitOpacities,
                                              .sh0 = g.sh0,
                                              .shRest = g.shRest,
                                              .capacity = g.capacity,
                                              .kPaint = row.paint,
                                              .kShape = row.shape,
                                              .kTint = row.tints() ? 1u : 0u},
                       frame_->perGaussian);
}

void WorldView::recordWalk(gpu::Commands& c, const Plan& plan) const {
    const FrameBuffers& f = *frame_;
    if (plan.row->walk == PictureWalk::blend) return forward_.recordBlend(c, f, plan.size);
    c.stage("blend");
    const uint32_t tiles = tileGrid(plan.size.x, plan.size.y).count();
    if (plan.row->walk == PictureWalk::count) {
        c.dispatchGroups(kernels::count_splats{.colours = f.colours,
                                               .transmittances = f.transmittances,
                                               .tileRanges = f.tileRanges,
                                               .gaussianFromInstance = Forward::gaussianFromInstance(f),
                                               .projected = f.projected,
                                               .size = plan.size},
                         tiles);
    } else {
        c.dispatchGroups(kernels::draw_nearest{.picture = pictures_,
                                               .sh0 = world_.buffers().sh0,
                                               .marks = world_.marks(),
                                               .colours = f.colours,
                                               .transmittances = f.transmittances,
                                               .selection = selection_,
                                               .tileRanges = f.tileRanges,
                                               .gaussianFromInstance = Forward::gaussianFromInstance(f),
                                               .projected = f.projected,
                                               .size = plan.size,
                                               .kShape = plan.row->shape,
                                               .kTint = plan.row->tints() ? 1u : 0u},
                         tiles);
    }
}

void WorldView::recordFinish(gpu::Commands& c, const Plan& plan) const {
    const FrameBuffers& f = *frame_;
    const gpu::BufferSlice photo = plan.photograph ? plan.photograph : range_.words();  // any other one where there is none
    c.stage("finish");
    c.fill(range_.slice(0, kWord), plan.row->fromZero ? 0 : UINT32_MAX);  // bits of the least number so far
    c.fill(range_.slice(kWord, kWord), 0);
    if (plan.row->isNumber())
        c.dispatch(kernels::reduce_range{.range = range_,
                                         .colours = f.colours,
                                         .transmittances = f.transmittances,
                                         .tileRanges = f.tileRanges,
                                         .photograph = photo,
                                         .size = plan.size,
                                         .kShow = plan.row->show},
                   pixelsOf(plan.size));
    c.dispatch(kernels::finish_picture{.picture = pictures_,
                                       .state = f.state,
                                       .range = range_,
                                       .pixels = pixels_,
                                       .colours = f.colours,
                                       .transmittances = f.transmittances,
                                       .tileRanges = f.tileRanges,
                                       .photograph = photo,
                                       .size = plan.size,
                                       .kPhotograph = plan.photograph ? 1u : 0u,
                                       .kShow = plan.row->show},
               pixelsOf(plan.size));
}

/// A walk of its own tells the pixels of the selection, where the picture's did not.
void WorldView::recordOutline(gpu::Commands& c, const Plan& plan) const {
    const FrameBuffers& f = *frame_;
    c.stage("outline");
    if (plan.row->walk != PictureWalk::nearest)
        c.dispatchGroups(kernels::select_pixels{.marks = world_.marks(),
                                                .selection = selection_,
                                                .tileRanges = f.tileRanges,
                                                .gaussianFromInstance = Forward::gaussianFromInstance(f),
                                                .projected = f.projected,
                                                .size = plan.size},
                         tileGrid(plan.size.x, plan.size.y).count());
    c.dispatch(kernels::outline_selection{.picture = pictures_,
                                          .state = f.state,
                                          .selection = selection_,
                                          .pixels = pixels_,
                                          .size = plan.size,
                                          .width = plan.outline,
                                          .kPhotograph = plan.photograph ? 1u : 0u},
               pixelsOf(plan.size));
}

void WorldView::recordTelling(gpu::Commands& c, uint32_t slot) const {
    const VkDeviceSize first = slot * (ToldWords::counts + ids_) * kWord;
    const auto tell = [&](gpu::BufferSlice from, size_t word) { c.copy(from, told_.slice(first + word * kWord, from.bytes)); };
    tell(frame_->state, ToldWords::state);
    tell(frame_->visibleCount, ToldWords::visible);
    tell(frame_->instanceCount, ToldWords::instances);
    tell(range_, ToldWords::range);
    tell(world_.counts().slice(0, ids_ * kWord), ToldWords::counts);
}

}  // namespace splat
