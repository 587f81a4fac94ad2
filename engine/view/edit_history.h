#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "view/mark_editor.h"

namespace splat {

/// Everything a person does to the gaussians and placements of a world, so that it can be taken back and made again, to the bit. An edit after
/// some were taken back forgets those. Nothing waits. The world must outlive this.
class EditHistory {
public:
    static constexpr uint64_t kMostBytes = uint64_t{256} << 20u;

    /// Remembers edits that together take at most so much of the GPU's memory, but always the last one.
    EditHistory(gpu::Device& device, World& world, uint64_t mostBytes = kMostBytes);

    // Edits. They throw gpu::OutOfMemory and change nothing where there is no room for what was changed.
    // only: as MarkEditor has it.
    void select(const SelectionShape& shape, Combine combine, std::optional<World::Id> only = {});
    void edit(MarkEdit edit, std::optional<World::Id> only = {});
    void place(World::Id id, const Placement& placement);
    /// After a placement was changed in small steps, as by dragging: all of them are one edit.
    void placed(World::Id id, const Placement& before);

    /// Removes the model from the world, and from all that is remembered: that cannot be taken back.
    void remove(World::Id id);

    // Names as a menu shows them; empty where there is nothing to take back or make again, and undo or redo then do nothing.
    std::string_view undoName() const { return done_ > 0 ? std::string_view(edits_[done_ - 1].name) : std::string_view(); }
    std::string_view redoName() const { return done_ < edits_.size() ? std::string_view(edits_[done_].name) : std::string_view(); }
    void undo();
    void redo();

    /// Of the GPU's memory.
    uint64_t bytes() const;
    /// Changes with every edit, undo and redo: whether something is not saved yet.
    uint64_t revision() const { return revision_; }

    // Counts, as MarkEditor has them; poll() once a frame.
    bool poll() { return marks_.poll(); }
    void finish() { marks_.finish(); }
    shared::MarkCounts counts() const { return marks_.counts(); }
    /// Whether counts() may not be those of now.
    bool counting() const { return marks_.counting(); }
    shared::MarkCounts counts(World::Id id) const { return marks_.counts(id); }

private:
    struct PlacementChange {
        World::Id model = 0;
        Placement before, after;
    };
    using Change = std::variant<MarkChange, PlacementChange>;
    struct Edit {
        std::string name;
        Change change;
    };

    void remember(Edit edit);
    void apply(const Change& change, bool forward);
    void forget(size_t begin, size_t end);

    World& world_;
    uint64_t mostBytes_;
    std::vector<Edit> edits_;
    MarkEditor marks_;  // goes before the edits, and waits for the GPU, which still reads them
    size_t done_ = 0;   ///< those before are done, those from here on were taken back
    uint64_t revision_ = 0;
};

}  // namespace splat
