// The selection of a workspace: what it is changed by, and what is made of it.
#include <algorithm>

#include <fmt/format.h>

#include <splatwright/gpu/check.h>
#include <splatwright/scene/formats/quantised.h>
#include <splatwright/view/save_world.h>
#include "viewer/files/written_files.h"
#include "viewer/scene/workspace.h"
#include "viewer/widgets/grouped.h"

namespace splat::app {

void Workspace::select(const SelectionShape& shape, Combine combine) {
    if (!refusesSelections()) history.select(shape, combine, selectsIn());
}

void Workspace::edit(MarkEdit edit) {
    const bool selects = edit == MarkEdit::selectAll || edit == MarkEdit::invert || edit == MarkEdit::crop;
    if (!(selects ? refusesSelections() : refusesEdits())) history.edit(edit, selectsIn());
}

/// The colour without what depends on the view, as the shape compares it.
void Workspace::selectLike(uint32_t gaussian, Combine combine) {
    const Gaussians found = world.buffers().download(device_, 0, gaussian, 1);
    select(ColourRange{colourOfDc(found.sh.at(0)), selecting.tolerance}, combine);
}

/// Editable models of which something is selected, by the last count.
std::vector<World::Id> Workspace::modelsWithSelection() const {
    std::vector<World::Id> found;
    for (const World::Id id : world.ids()) {
        const WorldModel& m = world[id];
        if (m.visible && !m.isFixed() && history.counts(id).selected > 0) found.push_back(id);
    }
    return found;
}

/// That of one model stays in its frame; that of several is merged in the world's.
void Workspace::separate() {
    history.finish();
    const auto ids = modelsWithSelection();
    if (ids.empty()) return complain("nothing is selected that could become a model of its own");
    const WorldModel from = world[ids.front()];
    const bool isOne = ids.size() == 1;
    try {
        const Gaussians part =
            isOne ? world.gaussiansOf(ids.front(), shared::kMarkSelected) : placedGaussians(world, ids, shared::kMarkSelected);
        const World::Id added = isOne && isPicture(ids.front())
                                    ? add(from.name + " part", partOf(pictures_.at(ids.front()), world.flagsOf(ids.front()),
                                                                      shared::kMarkSelected, shared::kMarkDeleted))
                                    : add(from.name + " part", part);
        if (isOne) world.setTransform(added, from.transform);
        history.edit(MarkEdit::deleteSelected);
        say(fmt::format("{} has {} splats; undo brings them back into {}", world[added].name, grouped(part.count()),
                        isOne ? from.name : "their models"));
    } catch (const gpu::OutOfMemory& problem) {
        complain(fmt::format("{}: {}", from.name, problem.what()));
    }
}

/// Empty: in all models.
std::optional<World::Id> Workspace::selectsIn() const { return selecting.allModels ? std::nullopt : current; }

bool Workspace::refusesSelections() {
    const auto only = selectsIn();
    if (!only) return refusesEdits();
    const WorldModel& model = world[*only];
    if (model.live) complain("a model in training or with levels of detail cannot be edited: Ctrl+D makes a copy that can");
    if (!model.live && model.locked) complain(fmt::format("{} is locked: unlock it in the panel Models", model.name));
    if (!model.isFixed() && !model.visible)
        complain(fmt::format("{} is hidden: show it, select another model, or select in all models", model.name));
    return model.isFixed() || !model.visible;
}

bool Workspace::refusesEdits() {
    const auto ids = world.ids();
    const bool inTraining = std::ranges::any_of(ids, [&](World::Id id) { return world[id].visible && world[id].live; });
    const bool editable = std::ranges::any_of(ids, [&](World::Id id) { return world[id].visible && !world[id].live; });
    if (inTraining && !editable) complain("a model in training or with levels of detail cannot be edited: Ctrl+D makes a copy that can");
    return inTraining && !editable;
}

}  // namespace splat::app
