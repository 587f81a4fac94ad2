#include <splatwright/view/mark_editor.h>

#include <algorithm>
#include <utility>

#include <splatwright/core/log.h>
#include "kernels/count_marks.h"
#include "kernels/edit_marks.h"
#include "kernels/select_area.h"
#include "kernels/toggle_marks.h"

namespace splat {

namespace {

uint32_t wordsFor(uint32_t gaussians) { return (gaussians + shared::kChangesPerWord - 1) / shared::kChangesPerWord; }

template <class T>
gpu::Buffer staged(gpu::Device& device, const char* name, std::span<const T> values) {
    gpu::Buffer buffer = device.buffer<T>(name, std::max<size_t>(values.size(), 1), gpu::Residence::staging);
    std::ranges::copy(values, buffer.mapped<T>());
    return buffer;
}

}  // namespace

MarkEditor::MarkEditor(gpu::Device& device, const World& world) : device_(device), world_(world) {}

/// Waits because the GPU still reads the buffers of submitted work. A lost device does not.
MarkEditor::~MarkEditor() {
    try {
        if (!work_.empty()) device_.wait(work_.back().ticket);
    } catch (const Error& e) {
        spdlog::debug("while leaving an editor: {}", e.what());
    }
}

/// only: the model to change; empty: all editable ones.
MarkChange MarkEditor::makeChange(std::optional<World::Id> only) const {
    MarkChange change;
    uint32_t words = 0;
    for (const World::Id id : world_.ids()) {
        if (!takesPart(id) || (only && only != id)) continue;
        change.parts.push_back({.model = id, .count = world_[id].count, .firstWord = words});
        words += wordsFor(world_[id].count);
    }
    change.words = device_.buffer<uint32_t>("changed marks", std::max(words, 1u));
    return change;
}

MarkChange MarkEditor::select(const SelectionShape& shape, Combine combine, std::optional<World::Id> only) {
    const bool endsElsewhere = combine == Combine::set || combine == Combine::intersect;
    MarkChange change = makeChange(endsElsewhere ? std::nullopt : only);
    std::vector<shared::SelectionArea> areas;
    for (const MarkChange::Part& part : change.parts) areas.push_back(selectionArea(shape, world_[part.model].transform));
    const auto points = selectionPoints(shape);
    std::vector<gpu::Buffer> inputs;
    inputs.push_back(staged<shared::SelectionArea>(device_, "selection areas", areas));
    inputs.push_back(staged<glm::vec2>(device_, "selection points", points));
    inputs.push_back(staged<uint32_t>(device_, "selection mask", selectionMask(shape)));
    const gpu::BufferSlice numbers = selectionNumbers(shape) ? selectionNumbers(shape) : inputs[2].words();  // any words for other shapes

    gpu::Commands c(device_, "select");
    c.stage("select");
    for (uint32_t row = 0; row < change.parts.size(); ++row) {
        const MarkChange::Part& part = change.parts[row];
        if (only && part.model != *only) {
            recordEdit(c, change, part, MarkEdit::selectNone);
            continue;
        }
        const kernels::select_area kernel{.marks = world_.marks(),
                                          .changes = change.words,
                                          .areas = inputs[0],
                                          .points = inputs[1],
                                          .mask = inputs[2],
                                          .numbers = numbers,
                                          .first = world_[part.model].first,
                                          .count = part.count,
                                          .firstChange = part.firstWord,
                                          .row = row,
                                          .shape = selectionKind(shape),
                                          .pointCount = static_cast<uint32_t>(points.size()),
                                          .combine = static_cast<uint32_t>(combine)};
        c.dispatch(withModel(kernel, world_.buffers()), wordsFor(part.count));
    }
    submitEdit(std::move(c), std::move(inputs));
    return change;
}

MarkChange MarkEditor::edit(MarkEdit edit, std::optional<World::Id> only) {
    const bool leavesOthers = edit == MarkEdit::invert || edit == MarkEdit::crop;
    MarkChange change = makeChange(leavesOthers ? only : std::nullopt);
    gpu::Commands c(device_, "edit marks");
    c.stage("edit marks");
    for (const MarkChange::Part& part : change.parts) {
        const bool ends = edit == MarkEdit::selectAll && only && part.model != *only;
        recordEdit(c, change, part, ends ? MarkEdit::selectNone : edit);
    }
    submitEdit(std::move(c), {});
    return change;
}

void MarkEditor::recordEdit(gpu::Commands& c, const MarkChange& change, const MarkChange::Part& part, MarkEdit edit) const {
    c.dispatch(kernels::edit_marks{.marks = world_.marks(),
                                   .changes = change.words,
                                   .first = world_[part.model].first,
                                   .count = part.count,
                                   .firstChange = part.firstWord,
                                   .edit = static_cast<uint32_t>(edit)},
               wordsFor(part.count));
}

void MarkEditor::toggle(const MarkChange& change) {
    gpu::Commands c(device_, "toggle marks");
    c.stage("toggle marks");
    for (const MarkChange::Part& part : change.parts) {
        SPLAT_CHECK(world_[part.model].count == part.count, "model {} had {} gaussians, has {}", part.model, part.count,
                    world_[part.model].count);
        c.dispatch(kernels::toggle_marks{.changes = change.words,
                                         .marks = world_.marks(),
                                         .first = world_[part.model].first,
                                         .count = part.count,
                                         .firstChange = part.firstWord},
                   part.count);
    }
    submitEdit(std::move(c), {});
}

void MarkEditor::restore(World::Id id, std::span<const uint8_t> flags) {
    const WorldModel& model = world_[id];
    SPLAT_CHECK(flags.size() == model.count, "{} flags of {} gaussians", flags.size(), model.count);
    std::vector<uint32_t> words;
    words.reserve(flags.size());
    for (const uint8_t flag : flags) words.push_back(id << shared::kMarkFlagBits | flag);
    constexpr uint64_t kWord = sizeof(uint32_t);
    if (!work_.empty()) device_.wait(work_.back().ticket);
    device_.upload(world_.marks().slice(model.first * kWord, words.size() * kWord), words);
    stale_ = true;
}

void MarkEditor::drop(MarkChange change) {
    collect();
    if (work_.empty()) return;
    work_.back().buffers.push_back(std::move(change.words));
}

void MarkEditor::submitEdit(gpu::Commands commands, std::vector<gpu::Buffer> buffers) {
    submit(std::move(commands), std::move(buffers));
    stale_ = true;
}

gpu::Ticket MarkEditor::submit(gpu::Commands commands, std::vector<gpu::Buffer> buffers) {
    collect();
    commands.end();
    const gpu::Ticket ticket = device_.submit(commands);
    work_.push_back({std::move(commands), std::move(buffers), ticket});
    return ticket;
}

void MarkEditor::collect() {
    while (!work_.empty() && device_.done(work_.front().ticket)) work_.pop_front();
}

bool MarkEditor::poll() {
    collect();
    bool found = false;
    if (counting_ != 0 && device_.done(counting_)) {
        counting_ = 0;
        found = generation_ == world_.generation();  // else ids may have been reused
        const auto* rows = readback_.mapped<shared::MarkCounts>();
        if (found) counts_.assign(rows, rows + readback_.bytes() / sizeof(shared::MarkCounts));
    }
    if (counting_ == 0 && (stale_ || generation_ != world_.generation())) count();
    return found;
}

void MarkEditor::count() {
    const size_t rows = std::max(world_.slots(), 1u);
    if (counted_.bytes() < rows * sizeof(shared::MarkCounts)) {
        counted_ = device_.buffer<shared::MarkCounts>("mark counts", rows);
        readback_ = device_.buffer<shared::MarkCounts>("mark counts readback", rows, gpu::Residence::readback);
    }
    gpu::Commands c(device_, "count marks");
    c.stage("count marks");
    c.fill(counted_, 0);
    for (const World::Id id : world_.ids()) {
        const WorldModel& m = world_[id];
        if (m.live) continue;
        c.dispatch(kernels::count_marks{.marks = world_.marks(), .counts = counted_, .first = m.first, .count = m.count, .row = id},
                   wordsFor(m.count));
    }
    c.copy(counted_, readback_);
    counting_ = submit(std::move(c), {});
    generation_ = world_.generation();
    stale_ = false;
}

shared::MarkCounts MarkEditor::counts(World::Id id) const { return id < counts_.size() ? counts_[id] : shared::MarkCounts{}; }

shared::MarkCounts MarkEditor::counts() const {
    shared::MarkCounts sum{};
    for (const World::Id id : world_.ids()) {
        const shared::MarkCounts row = counts(id);
        if (takesPart(id)) sum.selected += row.selected;
        sum.hidden += row.hidden;
        sum.deleted += row.deleted;
    }
    return sum;
}

void MarkEditor::finish() {
    do {
        poll();
        if (!work_.empty()) device_.wait(work_.back().ticket);
    } while (counting_ != 0);
}

}  // namespace splat
