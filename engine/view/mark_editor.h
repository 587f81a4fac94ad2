#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include <splatwright/gpu/commands.h>
#include <splatwright/view/selection.h>
#include <splatwright/view/world.h>

namespace splat {

/// Edits without a shape. Except for unhide, they do not change hidden or deleted Gaussians.
enum class MarkEdit : uint32_t {
    selectAll = shared::kEditSelectAll,
    selectNone = shared::kEditSelectNone,
    invert = shared::kEditInvert,
    hide = shared::kEditHide,  ///< hides and deselects the selection
    unhide = shared::kEditUnhide,
    deleteSelected = shared::kEditDelete,  ///< marks as deleted: kept in the world's buffers, but not drawn or saved
    crop = shared::kEditCrop,              ///< deletes what is not selected
};

/// Undo record of an edit on the GPU: four bits per Gaussian.
struct MarkChange {
    struct Part {
        World::Id model = 0;
        uint32_t count = 0;      ///< Gaussians
        uint32_t firstWord = 0;  ///< first word of the model's part
    };
    std::vector<Part> parts;
    gpu::Buffer words;
};

/// Changes which Gaussians of a world are selected, hidden and deleted, in visible models that are neither live nor locked. Edits are submitted at once, in the
/// order of the calls and before the next frame, without waiting. The world must outlive this.
class MarkEditor {
public:
    MarkEditor(gpu::Device& device, const World& world);
    ~MarkEditor();
    MarkEditor(const MarkEditor&) = delete;

    // Throw gpu::OutOfMemory, with nothing changed, if there is no memory for the undo record. only: the model that selections, invert and crop act
    // on (a replacing selection clears the others); empty: all models.
    MarkChange select(const SelectionShape& shape, Combine combine, std::optional<World::Id> only = {});
    MarkChange edit(MarkEdit edit, std::optional<World::Id> only = {});
    /// Undoes a change, or redoes it after that. Changes must be undone in reverse order.
    void toggle(const MarkChange& change);
    /// Gives each Gaussian of a model these flags. Waits, and changes recorded before cannot be undone.
    void restore(World::Id id, std::span<const uint8_t> flags);
    /// Frees a change's memory once the GPU is done with it.
    void drop(MarkChange change);

    /// Reads back counts, and starts a new count if something changed, without waiting. Returns whether counts() changed.
    bool poll();
    /// Counts of one model at the last count; zeros for a model added since.
    shared::MarkCounts counts(World::Id id) const;
    /// Counts of all models; `selected` only counts Gaussians that edits act on.
    shared::MarkCounts counts() const;
    /// Whether something has changed since the last count.
    bool counting() const { return stale_ || counting_ != 0 || generation_ != world_.generation(); }
    /// Waits until everything is done and counted.
    void finish();

private:
    struct Work {
        gpu::Commands commands;
        std::vector<gpu::Buffer> buffers;  ///< used by this work only
        gpu::Ticket ticket = 0;
    };

    bool takesPart(World::Id id) const { return world_[id].visible && !world_[id].isFixed(); }
    MarkChange makeChange(std::optional<World::Id> only) const;
    void recordEdit(gpu::Commands& commands, const MarkChange& change, const MarkChange::Part& part, MarkEdit edit) const;
    gpu::Ticket submit(gpu::Commands commands, std::vector<gpu::Buffer> buffers);
    void submitEdit(gpu::Commands commands, std::vector<gpu::Buffer> buffers);
    void collect();
    void count();

    gpu::Device& device_;
    const World& world_;
    std::deque<Work> work_;
    gpu::Buffer counted_, readback_;  ///< shared::MarkCounts per model id
    std::vector<shared::MarkCounts> counts_;
    gpu::Ticket counting_ = 0;  ///< 0: nothing is being counted
    uint64_t generation_ = 0;   ///< World::generation() at the start of the count
    bool stale_ = true;
};

}  // namespace splat
