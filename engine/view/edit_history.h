#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <splatwright/view/mark_editor.h>

namespace splat {

/// Undo history of edits to a world's Gaussians and model transforms, exact to the bit. A new edit drops the undone ones. Nothing waits for the GPU.
/// The world must outlive this.
class EditHistory {
public:
    static constexpr uint64_t kMostBytes = uint64_t{256} << 20u;

    /// mostBytes: limit of the GPU memory for undo records; the last edit is always kept.
    EditHistory(gpu::Device& device, World& world, uint64_t mostBytes = kMostBytes);

    // Edits. Throw gpu::OutOfMemory, with nothing changed, if there is no memory for the undo record.
    // only: as in MarkEditor.
    void select(const SelectionShape& shape, Combine combine, std::optional<World::Id> only = {});
    void edit(MarkEdit edit, std::optional<World::Id> only = {});
    void setTransform(World::Id id, const ModelTransform& transform);
    /// Changes a transform in small steps, as by dragging: one edit, which ends with endDrag(), any other edit, undo() or redo(), or a drag of another
    /// model.
    void dragTransform(World::Id id, const ModelTransform& transform);
    void endDrag();

    /// Gives each Gaussian of a model these flags, such as shared::kMarkSelected, without a way back. Waits.
    void restore(World::Id id, std::span<const uint8_t> flags) { marks_.restore(id, flags); }

    /// Removes the model from the world and from the history; this cannot be undone.
    void remove(World::Id id);

    // Names for menus; empty if there is nothing to undo or redo, and undo() or redo() then do nothing.
    std::string_view undoName() const { return done_ > 0 ? std::string_view(edits_[done_ - 1].name) : std::string_view(); }
    std::string_view redoName() const { return done_ < edits_.size() ? std::string_view(edits_[done_].name) : std::string_view(); }
    void undo();
    void redo();

    /// GPU memory of the undo records.
    uint64_t bytes() const;
    /// Changes with every edit, undo and redo; shows whether there are unsaved edits.
    uint64_t revision() const { return revision_; }

    // Counts as in MarkEditor; call poll() once per frame.
    bool poll() { return marks_.poll(); }
    void finish() { marks_.finish(); }
    shared::MarkCounts counts() const { return marks_.counts(); }
    /// Whether counts() may be outdated.
    bool counting() const { return marks_.counting(); }
    shared::MarkCounts counts(World::Id id) const { return marks_.counts(id); }

private:
    struct TransformChange {
        World::Id model = 0;
        ModelTransform before, after;
    };
    using Change = std::variant<MarkChange, TransformChange>;
    struct Edit {
        std::string name;
        Change change;
    };

    /// A model's transform before it was dragged.
    struct Drag {
        World::Id model = 0;
        ModelTransform before;
    };

    void remember(Edit edit);
    void rememberTransform(World::Id id, const ModelTransform& before);
    void apply(const Change& change, bool forward);
    void forget(size_t begin, size_t end);

    World& world_;
    uint64_t mostBytes_;
    std::vector<Edit> edits_;
    MarkEditor marks_;  // destroyed before the edits: its destructor waits for the GPU, which still reads them
    std::optional<Drag> drag_;
    size_t done_ = 0;  ///< edits before this index are done, the others undone
    uint64_t revision_ = 0;
};

}  // namespace splat
