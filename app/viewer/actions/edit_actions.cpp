#include "viewer/actions/groups.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "viewer/viewer.h"

namespace splat::app {

namespace {

void selectTool(Viewer& v, Tool tool, const char* hint) {
    v.work().selecting.cancel();
    v.work().selecting.tool = tool;
    v.work().say(hint);
}

void navigate(Viewer& v, Arguments&) { selectTool(v, Tool::navigate, "drag to turn"); }

void rectangle(Viewer& v, Arguments&) { selectTool(v, Tool::rectangle, "drag a rectangle around what to select"); }

void brush(Viewer& v, Arguments&) { selectTool(v, Tool::brush, "brush over what to select; [ and ] change the size"); }

void lasso(Viewer& v, Arguments&) { selectTool(v, Tool::lasso, "draw around what to select"); }

void smallerBrush(Viewer& v, Arguments&) { v.work().selecting.brushRadius = std::max(v.work().selecting.brushRadius / 1.25F, 2.0F); }

void largerBrush(Viewer& v, Arguments&) { v.work().selecting.brushRadius = std::min(v.work().selecting.brushRadius * 1.25F, 300.0F); }

template <MarkEdit kEdit>
void edit(Viewer& v, Arguments&) {
    v.work().edit(kEdit);
}

/// A selection's last word, which is for this one only.
void select(Viewer& v, Arguments& a, const SelectionShape& shape) {
    bool all = v.work().selecting.allModels;
    if (a.more()) {
        const std::string word = a.text("where");
        if (word != "all_models") throw InputError("'{}', expected all_models or nothing", word);
        all = true;
    }
    const bool before = std::exchange(v.work().selecting.allModels, all);
    v.work().select(shape, Combine::set);
    v.work().selecting.allModels = before;
}

void selectSphere(Viewer& v, Arguments& a) {
    const glm::dvec3 centre = a.triple("the centre");
    select(v, a, WorldSphere{centre, a.number("the radius", 0)});
}

void selectBox(Viewer& v, Arguments& a) {
    const glm::dvec3 centre = a.triple("the centre"), half = a.triple("the half size", 0);
    select(v, a, WorldBox{.centre = centre, .halfSize = half});
}

void selectOpacity(Viewer& v, Arguments& a) {
    const auto low = static_cast<float>(a.number("the least", 0, 1));
    select(v, a, OpacityRange{low, static_cast<float>(a.number("the largest", 0, 1))});
}

void allModels(Viewer& v, Arguments& a) {
    bool& all = v.work().selecting.allModels;
    all = a.more() ? a.count("1 or 0", 0, 1) != 0 : !all;
    v.work().say(all ? "selections take in all visible models" : "selections stay in the chosen model");
}

void undo(Viewer& v, Arguments&) {
    const std::string name(v.work().history.undoName());
    v.work().history.undo();
    v.work().say(name.empty() ? "nothing to undo" : "undone: " + name);
}

void redo(Viewer& v, Arguments&) {
    const std::string name(v.work().history.redoName());
    v.work().history.redo();
    v.work().say(name.empty() ? "nothing to redo" : "done again: " + name);
}

template <Gizmo::Kind kKind>
void gizmo(Viewer& v, Arguments&) {
    Workspace& work = v.work();
    work.showsGizmo = !(work.showsGizmo && work.gizmo.kind == kKind);
    work.gizmo.kind = kKind;
}

void placeModel(Viewer& v, Arguments& a) {
    Placement p;
    p.translation = a.triple("the position");
    const glm::dvec3 angles = a.triple("the turn");
    p.rotation = glm::dquat(glm::radians(angles));
    p.scale = a.number("the scale", 1e-4, 1e4);
    v.work().history.place(currentModel(v), p);
}

void duplicate(Viewer& v, Arguments&) { v.work().duplicate(currentModel(v)); }

constexpr Action kActions[] = {
    {"navigate", "Escape", "Edit", "", "the pointer turns the view", navigate},
    {"rectangle", "X", "Edit", "", "select by a rectangle", rectangle},
    {"brush", "B", "Edit", "", "select with a brush", brush},
    {"lasso", "L", "Edit", "", "select by an outline", lasso},
    {"smaller_brush", "[", "", "", "a smaller brush", smallerBrush},
    {"larger_brush", "]", "", "", "a larger brush", largerBrush},
    {"select_all", "Ctrl+A", "Edit", "", "select all of the chosen model", edit<MarkEdit::selectAll>},
    {"select_none", "Ctrl+Shift+A", "Edit", "", "select none", edit<MarkEdit::selectNone>},
    {"invert", "Ctrl+I", "Edit", "", "select what is not selected", edit<MarkEdit::invert>},
    {"hide", "H", "Edit", "", "hide the selected", edit<MarkEdit::hide>},
    {"show_all", "Shift+H", "Edit", "", "show what was hidden", edit<MarkEdit::unhide>},
    {"delete", "Delete", "Edit", "", "delete the selected", edit<MarkEdit::deleteSelected>},
    {"crop", "Ctrl+K", "Edit", "", "delete all of the chosen model but the selected", edit<MarkEdit::crop>},
    {"undo", "Ctrl+Z", "Edit", "", "undo", undo},
    {"redo", "Ctrl+Shift+Z", "Edit", "", "redo", redo},
    {"duplicate", "Ctrl+D", "Edit", "", "copy the chosen model; a copy of one in training can be edited", duplicate},
    {"move_model", "1", "Edit", "", "handles that move the chosen model", gizmo<Gizmo::Kind::move>},
    {"turn_model", "2", "Edit", "", "handles that turn it", gizmo<Gizmo::Kind::turn>},
    {"scale_model", "3", "Edit", "", "a handle that scales it", gizmo<Gizmo::Kind::scale>},
    {"all_models", "", "Edit", "[0|1]", "whether selections take in all visible models, or only the chosen one", allModels},
    {"select_sphere", "", "", "X Y Z RADIUS [all_models]", "select by a ball in the world", selectSphere},
    {"select_box", "", "", "X Y Z HX HY HZ [all_models]", "select by a box in the world", selectBox},
    {"select_opacity", "", "", "LOW HIGH [all_models]", "select by opacity", selectOpacity},
    {"place", "", "", "X Y Z RX RY RZ SCALE", "place the chosen model; angles in degrees", placeModel},
};

}  // namespace

std::span<const Action> editActions() { return kActions; }

}  // namespace splat::app
