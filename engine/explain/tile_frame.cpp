#include <splatwright/explain/tile_frame.h>

#include <algorithm>

#include <splatwright/core/error.h>
#include <splatwright/render/backward.h>
#include "kernels/gather_tile.h"
#include "kernels/gather_tile_u16.h"

namespace splat::explain {

namespace {

glm::uvec2 sizeOf(const Camera& camera) { return {static_cast<uint32_t>(camera.width), static_cast<uint32_t>(camera.height)}; }

/// For a backward pass by any method without checkpoints.
FrameCapacity capacityFor(const GaussianModel& model, glm::uvec2 size, uint32_t instances) {
    FrameCapacity capacity{.gaussians = model.capacity, .instances = instances, .width = size.x, .height = size.y};
    for (const AccumulationRow* row : accumulationTable()) {
        if (!row->checkpoints) capacity.transientBytes = std::max(capacity.transientBytes, BackwardBuffers::transientBytes(capacity, *row));
    }
    return capacity;
}

void check(const gpu::Device& device, const GaussianModel& model, glm::uvec2 size, glm::uvec2 pixel) {
    if (pixel.x >= size.x || pixel.y >= size.y)
        throw InputError("found pixel {},{}, expected one of the picture's {}x{}", pixel.x, pixel.y, size.x, size.y);
    for (const AccumulationRow* row : accumulationTable()) {
        const uint32_t most = mostGaussians(device, *row);
        if (model.capacity > most)
            throw InputError("found {} Gaussians, expected at most {} for accumulation '{}' on {}", model.capacity, most, row->name,
                             device.name());
    }
}

template <class Kernel>
void recordGatherBy(gpu::Commands& c, const FrameBuffers& f, const gpu::Buffer& found, const gpu::Buffer& foundCount, uint32_t tile) {
    const primitives::SortBuffers instances = Forward::instances(f);
    c.dispatchIndirect(Kernel{.instanceCount = f.instanceCount,
                              .tileKeys = instances.keysA,
                              .instances = instances.payloadA,
                              .found = found,
                              .foundCount = foundCount,
                              .tile = tile,
                              .capacity = f.capacity.gaussians},
                       f.perInstance);
}

}  // namespace

TileFrame::TileFrame(gpu::Device& device, const primitives::RadixSort& sort, const EvaluatedModel& model, const Camera& camera,
                     glm::uvec2 pixel)
    : TileFrame(device, sort, prepared(device, model, camera), pixel) {}

TileFrame::TileFrame(gpu::Device& device, const primitives::RadixSort& sort, DrawnGaussians drawn, glm::uvec2 size, glm::uvec2 pixel)
    : TileFrame(device, sort, Prepared{std::move(drawn), size, device.buffer<shared::ViewParameters>("no view", 1)}, pixel) {}

TileFrame::TileFrame(gpu::Device& device, const primitives::RadixSort& sort, Prepared prepared, glm::uvec2 pixel)
    : device_(device),
      drawn_(std::move(prepared.drawn)),
      tile_{.size = prepared.size, .pixel = pixel, .splats = {}},
      forward_(device, sort),
      views_(std::move(prepared.views)),
      found_(device.buffer<shared::EmittedInstance>("instances of the tile", gaussians().capacity)),
      foundCount_(device.buffer<uint32_t>("instances of the tile found", 1)) {
    check(device, gaussians(), size(), pixel);
    frame_.emplace(device, capacityFor(gaussians(), size(), 4 * gaussians().capacity));
    draw();
    while (!fits()) draw();
    instances_ = downloadOne<uint32_t>(device, frame_->instanceCount, 0);
    emitted_ = device.download<shared::EmittedInstance>(found_, downloadOne<uint32_t>(device, foundCount_, 0));
    std::ranges::sort(emitted_, {}, &shared::EmittedInstance::place);
    tile_ = readTile(device, *frame_, size(), pixel);
}

TileFrame::Prepared TileFrame::prepared(gpu::Device& device, const EvaluatedModel& model, const Camera& camera) {
    Prepared own{.drawn = {.gaussians = model.gaussians,
                           .parameters = {.shDegree = static_cast<uint32_t>(model.shDegree), .background = model.background},
                           .recordProjection = model.gaussians.kind.row->recordProjection},
                 .size = sizeOf(camera),
                 .views = device.buffer<shared::ViewParameters>("view", 1)};
    device.upload(own.views, std::vector{viewParameters(camera)});
    return own;
}

/// As Forward::record(), with a look at the instances before they are sorted.
void TileFrame::draw() {
    device_.upload(frame_->parameters, std::vector{parameters()});
    const ViewSelection selection = view();
    const PictureJob job{gaussians(), *frame_, selection, {}};
    const ModelKindRow& kind = *gaussians().kind.row;
    device_.run("explained picture", [&](gpu::Commands& c) {
        forward_.recordBegin(c, gaussians().count, *frame_);
        drawn_.recordProjection(c, job);
        forward_.recordEmitted(c, *frame_, size(), kind.order);
        recordGather(c);
        forward_.recordSorted(c, *frame_, size());
        kind.recordPicture(forward_, c, job);
    });
}

/// Whether the frame held all instances; else makes a larger one.
bool TileFrame::fits() {
    const auto state = device_.download<shared::FrameState>(frame_->state, 1)[0];
    if (!state.halted) return true;
    frame_.reset();  // frees the old buffers first, so that both are never in memory
    frame_.emplace(device_, capacityFor(gaussians(), size(), FrameCapacity::withMargin(state.instancesNeeded)));
    return false;
}

void TileFrame::recordGather(gpu::Commands& c) const {
    c.fill(foundCount_, 0);
    frame_->tileKeys == primitives::KeyStorage::u16
        ? recordGatherBy<kernels::gather_tile_u16>(c, *frame_, found_, foundCount_, tile_.index())
        : recordGatherBy<kernels::gather_tile>(c, *frame_, found_, foundCount_, tile_.index());
}

}  // namespace splat::explain
