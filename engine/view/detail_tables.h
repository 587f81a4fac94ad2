#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <splatwright/gpu/commands.h>
#include <splatwright/scene/formats/sog/streamed_sog.h>
#include <splatwright/shared/viewer.h>

namespace splat {

/// A level of a node.
struct DetailLevel {
    uint32_t node = 0, level = 0;

    bool operator==(const DetailLevel&) const = default;
};

/// What the device knows of a streamed model: its nodes, which of their levels are in its pages, and which should be. A frame chooses levels by
/// screen error (shaders/viewer/choose_levels.slang) and draws what is there.
class DetailTables {
public:
    /// pages: of kDetailPage splats in the model's part of the world.
    DetailTables(gpu::Device& device, const StreamedSog& scene, uint32_t pages, uint32_t budget);

    /// Chooses levels for models[model] and marks all splats from `first` on. slot: of the frames in flight, below kFrameSlots.
    void record(gpu::Commands& commands, gpu::BufferSlice models, uint32_t model, gpu::BufferSlice marks, uint32_t first,
                uint32_t slot) const;
    /// Takes what the slot's frame wanted; it must be done.
    void collect(uint32_t slot);

    /// Per node, of the last frame that was collected: the level that it should have, kNoDetailLevel if it has none, and kDetailUnseen.
    std::span<const uint32_t> wanted() const { return wantedLevels_; }
    uint32_t budget() const { return budget_; }

    const gpu::Buffer& pages() const { return pages_; }
    const gpu::Buffer& resident() const { return resident_; }
    uint32_t pageCount() const { return pageCount_; }

    static constexpr uint32_t kFrameSlots = 3;

private:
    uint32_t nodes_, levels_, pageCount_, budget_;
    gpu::Buffer parameters_, boxes_, errors_, counts_, resident_, chosen_, wanted_, pages_, readback_;
    std::vector<uint32_t> wantedLevels_;
};

}  // namespace splat
