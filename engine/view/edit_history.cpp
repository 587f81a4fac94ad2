#include <splatwright/view/edit_history.h>

#include <utility>

namespace splat {

namespace {

const char* nameOf(MarkEdit edit) {
    switch (edit) {
        case MarkEdit::selectAll: return "select all";
        case MarkEdit::selectNone: return "select none";
        case MarkEdit::invert: return "invert the selection";
        case MarkEdit::hide: return "hide";
        case MarkEdit::unhide: return "unhide";
        case MarkEdit::deleteSelected: return "delete";
        case MarkEdit::crop: return "crop";
    }
    return "";
}

}  // namespace

EditHistory::EditHistory(gpu::Device& device, World& world, uint64_t mostBytes)
    : world_(world), mostBytes_(mostBytes), marks_(device, world) {}

void EditHistory::select(const SelectionShape& shape, Combine combine, std::optional<World::Id> only) {
    endDrag();
    remember({"select", marks_.select(shape, combine, only)});
}

void EditHistory::edit(MarkEdit edit, std::optional<World::Id> only) {
    endDrag();
    remember({nameOf(edit), marks_.edit(edit, only)});
}

void EditHistory::setTransform(World::Id id, const ModelTransform& transform) {
    endDrag();
    const ModelTransform before = world_[id].transform;
    world_.setTransform(id, transform);
    rememberTransform(id, before);
}

void EditHistory::dragTransform(World::Id id, const ModelTransform& transform) {
    if (drag_ && drag_->model != id) endDrag();
    if (!drag_) drag_ = {id, world_[id].transform};
    world_.setTransform(id, transform);
}

void EditHistory::endDrag() {
    if (const auto drag = std::exchange(drag_, {})) rememberTransform(drag->model, drag->before);
}

void EditHistory::rememberTransform(World::Id id, const ModelTransform& before) {
    const ModelTransform after = world_[id].transform;
    if (after != before) remember({"move " + world_[id].name, TransformChange{id, before, after}});
}

void EditHistory::remember(Edit edit) {
    forget(done_, edits_.size());
    edits_.push_back(std::move(edit));
    done_ = edits_.size();
    ++revision_;
    while (edits_.size() > 1 && bytes() > mostBytes_) forget(0, 1);
}

void EditHistory::forget(size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
        if (auto* change = std::get_if<MarkChange>(&edits_[i].change)) marks_.drop(std::move(*change));
    }
    edits_.erase(edits_.begin() + static_cast<std::ptrdiff_t>(begin), edits_.begin() + static_cast<std::ptrdiff_t>(end));
    if (begin < done_) done_ -= end - begin;
}

void EditHistory::remove(World::Id id) {
    endDrag();
    for (size_t i = edits_.size(); i-- > 0;) {
        bool empty = false;
        if (auto* change = std::get_if<MarkChange>(&edits_[i].change)) {
            std::erase_if(change->parts, [id](const MarkChange::Part& part) { return part.model == id; });
            empty = change->parts.empty();
        } else {
            empty = std::get<TransformChange>(edits_[i].change).model == id;
        }
        if (empty) forget(i, i + 1);
    }
    world_.remove(id);
    ++revision_;
}

void EditHistory::undo() {
    endDrag();
    if (done_ > 0) apply(edits_[--done_].change, false);
}

void EditHistory::redo() {
    endDrag();
    if (done_ < edits_.size()) apply(edits_[done_++].change, true);
}

void EditHistory::apply(const Change& change, bool forward) {
    ++revision_;
    if (const auto* marks = std::get_if<MarkChange>(&change)) {
        marks_.toggle(*marks);
    } else {
        const auto& moved = std::get<TransformChange>(change);
        world_.setTransform(moved.model, forward ? moved.after : moved.before);
    }
}

uint64_t EditHistory::bytes() const {
    uint64_t sum = 0;
    for (const Edit& edit : edits_) {
        if (const auto* change = std::get_if<MarkChange>(&edit.change)) sum += change->words.bytes();
    }
    return sum;
}

}  // namespace splat
