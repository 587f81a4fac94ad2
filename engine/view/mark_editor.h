#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "gpu/commands.h"
#include "view/selection.h"
#include "view/world.h"

namespace splat {

/// Edits that need no shape. They touch neither hidden nor deleted gaussians, but for unhide.
enum class MarkEdit : uint32_t {
    selectAll = shared::kEditSelectAll,
    selectNone = shared::kEditSelectNone,
    invert = shared::kEditInvert,
    hide = shared::kEditHide,  ///< the selected, which are then no longer selected
    unhide = shared::kEditUnhide,
    deleteSelected = shared::kEditDelete,  ///< they stay in the world's buffers, but are in no picture and no file
    crop = shared::kEditCrop,              ///< deletes what is not selected
};

/// What an edit did, on the GPU: half a byte a gaussian, from which it is taken back and made again.
struct MarkChange {
    struct Part {
        World::Id model = 0;
        uint32_t count = 0;      ///< gaussians
        uint32_t firstWord = 0;  ///< of the model's part of the words
    };
    std::vector<Part> parts;
    gpu::Buffer words;
};

/// Changes which gaussians of a world are selected, hidden and deleted. Visible models that are not live take part. Everything is handed to
/// the queue at once, in the order of the calls and before the next picture; nothing waits. The world must outlive this.
class MarkEditor {
public:
    MarkEditor(gpu::Device& device, const World& world);
    ~MarkEditor();
    MarkEditor(const MarkEditor&) = delete;

    // These throw gpu::OutOfMemory and change nothing where there is no room for what was changed. only: the model in which gaussians become
    // selected, and where invert and crop act; a selection that replaces the one before ends in the others. Empty: all models.
    MarkChange select(const SelectionShape& shape, Combine combine, std::optional<World::Id> only = {});
    MarkChange edit(MarkEdit edit, std::optional<World::Id> only = {});
    /// Takes a change back, or makes it again after that: in turns, and in the opposite order of the changes after it.
    void toggle(const MarkChange& change);
    /// Gives a change's memory back once the GPU is done with it.
    void drop(MarkChange change);

    /// Reads what the GPU has counted and has it count again where something changed, without waiting. True when counts() are new.
    bool poll();
    /// Of one model, as counted last; zeros of a model that was not there then.
    shared::MarkCounts counts(World::Id id) const;
    /// Of all models; selected only where an edit would reach them.
    shared::MarkCounts counts() const;
    /// Whether something has changed that is not counted yet.
    bool counting() const { return stale_ || counting_ != 0 || generation_ != world_.generation(); }
    /// Waits until everything is done and counted.
    void finish();

private:
    struct Work {
        gpu::Commands commands;
        std::vector<gpu::Buffer> buffers;  ///< that only this work needs
        gpu::Ticket ticket = 0;
    };

    bool takesPart(World::Id id) const { return world_[id].visible && !world_[id].live; }
    MarkChange makeChange(std::optional<World::Id> only) const;
    void recordEdit(gpu::Commands& commands, const MarkChange& change, const MarkChange::Part& part, MarkEdit edit) const;
    gpu::Ticket submit(gpu::Commands commands, std::vector<gpu::Buffer> buffers);
    void submitEdit(gpu::Commands commands, std::vector<gpu::Buffer> buffers);
    void collect();
    void count();
    bool readCounts();

    gpu::Device& device_;
    const World& world_;
    std::deque<Work> work_;
    gpu::Buffer counted_, told_;  ///< shared::MarkCounts an id
    std::vector<shared::MarkCounts> counts_;
    gpu::Ticket counting_ = 0;  ///< 0: nothing is being counted
    uint64_t generation_ = 0;   ///< of the world, when the count began
    bool stale_ = true;
};

}  // namespace splat
