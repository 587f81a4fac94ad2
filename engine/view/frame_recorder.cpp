#include <splatwright/view/frame_recorder.h>

#include <algorithm>
#include <limits>

#include <splatwright/view/shown_pixels.h>
#include "kernels/count_splats.h"
#include "kernels/draw_nearest.h"
#include "kernels/finish_picture.h"
#include "kernels/outline_selection.h"
#include "kernels/picture_values.h"
#include "kernels/project_world.h"
#include "kernels/reduce_range.h"
#include "kernels/select_pixels.h"

namespace splat {

namespace {

constexpr VkDeviceSize kWord = sizeof(uint32_t);

gpu::BufferSlice element(const gpu::Buffer& buffer, uint64_t index, uint64_t bytes) { return buffer.slice(index * bytes, bytes); }

uint64_t pixelsOf(glm::uvec2 size) { return uint64_t{size.x} * size.y; }

}  // namespace

bool FramePlan::operator==(const FramePlan& other) const {
    const auto same = [](const gpu::BufferSlice& a, const gpu::BufferSlice& b) { return a.buffer == b.buffer && a.offset == b.offset; };
    return size == other.size && mode == other.mode && same(groundTruth, other.groundTruth) && same(backdrop, other.backdrop) &&
           picture == other.picture && summed == other.summed && outline == other.outline && orthographic == other.orthographic &&
           percentiles == other.percentiles && kernels == other.kernels;
}

FrameRecorder::FrameRecorder(gpu::Device& device, const primitives::RadixSort& sort, const World& world, uint32_t slots)
    : device_(device),
      world_(world),
      slots_(slots),
      forward_(device, sort),
      newPictures_(device.buffer<shared::PictureParameters>("picture parameters to upload", slots, gpu::Residence::staging)),
      newFrames_(device.buffer<shared::FrameParameters>("frame parameters to upload", slots, gpu::Residence::staging)),
      pictures_(device.buffer<shared::PictureParameters>("picture parameters", 1)),
      range_(device.buffer<uint32_t>("range of values", 2)),
      percentiles_(device) {}

void FrameRecorder::makeFrame(glm::uvec2 size, uint32_t instances) {
    frame_.reset();  // frees the old buffers first, so that both never exist at once
    selection_ = {};
    selection_ = device_.buffer<float>("selection of pixels", pixelsOf(size));
    numbers_ = {};
    numbers_ = device_.buffer<float>("numbers of pixels", pixelsOf(size));
    ids_ = std::max(world_.slots(), 1u);
    newModels_ = device_.buffer<shared::ModelView>("model views to upload", size_t{slots_} * ids_, gpu::Residence::staging);
    models_ = device_.buffer<shared::ModelView>("model views", ids_);
    readback_ = FrameReadback(device_, slots_, ids_);
    frame_.emplace(
        device_, FrameCapacity{
                     .gaussians = world_.buffers().capacity, .instances = instances, .width = size.x, .height = size.y, .backward = false});
}

bool FrameRecorder::growPixels(glm::uvec2 size) {
    if (pixelsOf(size) * kWord <= pixels_.bytes()) return false;
    device_.waitForAll();  // a screen may still show the last picture
    pixels_ = {};
    pixels_ = device_.buffer<uint32_t>("picture", pixelsOf(size));
    return true;
}

void FrameRecorder::write(size_t slot, const FrameInputs& inputs) {
    std::ranges::copy(inputs.models, newModels_.mapped<shared::ModelView>() + slot * ids_);
    newPictures_.mapped<shared::PictureParameters>()[slot] = inputs.picture;
    newFrames_.mapped<shared::FrameParameters>()[slot] = inputs.frame;
}

gpu::Commands FrameRecorder::record(uint32_t slot, const FramePlan& plan) const {
    gpu::Commands c(device_, "picture");
    c.copy(element(newModels_, slot, ids_ * sizeof(shared::ModelView)), models_);
    c.copy(element(newPictures_, slot, sizeof(shared::PictureParameters)), pictures_);
    c.copy(element(newFrames_, slot, sizeof(shared::FrameParameters)), frame_->parameters);
    recordDetails(c, slot);
    c.stage("project");
    forward_.recordBegin(c, world_.buffers().count, *frame_);
    recordProjection(c, plan, *frame_, plan.mode->tints());
    forward_.recordLists(c, *frame_, plan.size);
    recordTraversal(c, plan);
    recordFinish(c, plan);
    if (plan.outline > 0) recordOutline(c, plan);
    readback_.record(c, slot, *frame_, range_, world_.counts());
    c.end();
    return c;
}

FrameCounts FrameRecorder::read(size_t slot) const {
    for (const World::Id id : world_.ids())
        if (world_[id].details) world_[id].details->collect(static_cast<uint32_t>(slot));
    return readback_.read(slot);
}

void FrameRecorder::recordDetails(gpu::Commands& c, uint32_t slot) const {
    for (const World::Id id : world_.ids()) {
        const WorldModel& m = world_[id];
        if (!m.details) continue;
        c.stage("levels of detail");
        m.details->record(c, models_, id, world_.marks(), m.first, slot);
    }
}

void FrameRecorder::recordProjection(gpu::Commands& c, const FramePlan& plan, const FrameBuffers& into, bool tints) const {
    const RenderMode& mode = *plan.mode;
    const kernels::project_world kernel{.activeCount = into.activeCount,
                                        .picture = pictures_,
                                        .models = models_,
                                        .counts = world_.counts(),
                                        .marks = world_.marks(),
                                        .gradients = world_.gradients(),
                                        .projected = into.projected,
                                        .tileCounts = into.tileCounts,
                                        .depthKeys = into.depthKeysB,
                                        .kOrthographic = plan.orthographic ? 1u : 0u,
                                        .kPicture = plan.picture ? 1u : 0u,
                                        .kPaint = mode.paint,
                                        .kShape = mode.shape,
                                        .kTint = tints ? 1u : 0u};
    c.dispatchIndirect(withModel(kernel, world_.buffers()), into.perGaussian);
}

void FrameRecorder::recordTraversal(gpu::Commands& c, const FramePlan& plan) const {
    const FrameBuffers& f = *frame_;
    if (plan.mode->traversal == TileTraversal::blend) return forward_.recordBlend(c, f, plan.size, {.summed = plan.summed});
    c.stage("blend");
    if (plan.mode->traversal == TileTraversal::nearest) {
        const kernels::draw_nearest kernel{.picture = pictures_,
                                           .marks = world_.marks(),
                                           .colours = f.colours,
                                           .transmittances = f.transmittances,
                                           .selection = selection_,
                                           .tileRanges = f.tileRanges,
                                           .gaussianFromInstance = Forward::gaussianFromInstance(f),
                                           .projected = f.projected,
                                           .size = plan.size,
                                           .kShape = plan.mode->shape,
                                           .kTint = plan.mode->tints() ? 1u : 0u};
        return c.dispatchGroups(withModel(kernel, world_.buffers()), tileGrid(plan.size.x, plan.size.y).count());
    }
    c.dispatchGroups(kernels::count_splats{.colours = f.colours,
                                           .transmittances = f.transmittances,
                                           .tileRanges = f.tileRanges,
                                           .gaussianFromInstance = Forward::gaussianFromInstance(f),
                                           .projected = f.projected,
                                           .size = plan.size},
                     tileGrid(plan.size.x, plan.size.y).count());
}

void FrameRecorder::recordFinish(gpu::Commands& c, const FramePlan& plan) const {
    const FrameBuffers& f = *frame_;
    const gpu::BufferSlice photo =
        plan.groundTruth ? plan.groundTruth : range_.words();  // any buffer if there is none: the kernel does not read it
    c.stage("finish");
    recordRange(c, plan, photo);
    const kernels::finish_picture kernel{.picture = pictures_,
                                         .backdrop = plan.backdrop ? plan.backdrop : range_.words(),
                                         .state = f.state,
                                         .range = range_,
                                         .pixels = pixels_,
                                         .kGroundTruth = plan.groundTruth ? 1u : 0u,
                                         .kBackdrop = plan.backdrop ? 1u : 0u};
    c.dispatch(withShown(kernel, f, photo, plan.size, plan.mode->show), pixelsOf(plan.size));
}

void FrameRecorder::recordRange(gpu::Commands& c, const FramePlan& plan, gpu::BufferSlice groundTruth) const {
    const auto pixels = static_cast<uint32_t>(pixelsOf(plan.size));
    const auto withPixels = [&](const auto& kernel) { return withShown(kernel, *frame_, groundTruth, plan.size, plan.mode->show); };
    if (plan.mode->isNumber() && plan.percentiles) {
        const kernels::picture_values kernel{.values = numbers_, .pixelCount = pixels, .nothing = std::numeric_limits<float>::quiet_NaN()};
        c.dispatch(withPixels(kernel), pixels);
        return percentiles_.record(c, numbers_, pixels, range_, plan.mode->fromZero);
    }
    c.fill(range_.slice(0, kWord), plan.mode->fromZero ? 0 : UINT32_MAX);  // bits of the smallest value so far
    c.fill(range_.slice(kWord, kWord), 0);
    if (plan.mode->isNumber()) c.dispatch(withPixels(kernels::reduce_range{.range = range_}), pixels);
}

/// Modes that do not draw the nearest splat need a pass of their own for the selection of each pixel.
void FrameRecorder::recordOutline(gpu::Commands& c, const FramePlan& plan) const {
    const FrameBuffers& f = *frame_;
    c.stage("outline");
    if (plan.mode->traversal != TileTraversal::nearest)
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
                                          .kGroundTruth = plan.groundTruth ? 1u : 0u},
               pixelsOf(plan.size));
}

}  // namespace splat
