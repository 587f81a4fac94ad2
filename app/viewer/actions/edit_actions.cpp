#include "viewer/actions/groups.h"

#include <algorithm>
#include <utility>

#include <splatwright/core/error.h>
#include "viewer/scene/floaters.h"
#include "viewer/viewer/viewer.h"

namespace splat::app {

namespace {

constexpr double kVolumePart = 0.2;  // of the distance to the target, that a shape in the scene is large at first

void selectTool(Viewer& v, Tool tool, const char* hint) {
    v.work().selecting.cancel();
    v.work().selecting.tool = tool;
    v.work().say(hint);
}

/// A shape in the scene appears where the camera looks.
template <Tool kTool>
void selectVolume(Viewer& v, Arguments&) {
    ShapeSettings& shapes = v.work().shapes;
    if (!std::exchange(shapes.isPlaced, true)) {
        shapes.centre = glm::vec3(v.work().navigator.target());
        shapes.radius = static_cast<float>(kVolumePart * v.work().navigator.distance());
        shapes.halfSize = glm::vec3(shapes.radius);
    }
    selectTool(v, kTool, "move, rotate (2) and scale (3) the shape; Enter selects, Shift+Enter adds, Ctrl+Enter removes");
}

template <Combine kCombine>
void applyShape(Viewer& v, Arguments&) {
    v.viewport().applyShape(kCombine);
}

template <MarkEdit kEdit>
void edit(Viewer& v, Arguments&) {
    v.work().edit(kEdit);
}

/// The optional last word `all_models`, which applies to this selection only.
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
    const auto low = static_cast<float>(a.number("the minimum", 0, 1));
    select(v, a, OpacityRange{low, static_cast<float>(a.number("the maximum", 0, 1))});
}

void allModels(Viewer& v, Arguments& a) {
    bool& all = v.work().selecting.allModels;
    all = a.more() ? a.count("1 or 0", 0, 1) != 0 : !all;
    v.work().say(all ? "selecting in all visible models" : "selecting in the current model only");
}

void tolerance(Viewer& v, Arguments& a) { v.work().selecting.tolerance = static_cast<float>(a.number("the tolerance", 0, 1)); }

void place(ShapeSettings& shapes, const glm::dvec3& centre) {
    shapes.centre = glm::vec3(centre);
    shapes.isPlaced = true;
}

void placeSphere(Viewer& v, Arguments& a) {
    const glm::dvec3 centre = a.triple("the centre");
    v.work().shapes.radius = static_cast<float>(a.number("the radius", 0));
    place(v.work().shapes, centre);
}

void placeBox(Viewer& v, Arguments& a) {
    const glm::dvec3 centre = a.triple("the centre"), half = a.triple("the half size", 0), angles = a.triple("the rotation");
    v.work().shapes.halfSize = glm::vec3(half);
    v.work().shapes.rotation = glm::dquat(glm::radians(angles));
    place(v.work().shapes, centre);
}

void selectFloaters(Viewer& v, Arguments& a) {
    const WorldModel& model = v.work().world[currentModel(v)];
    if (model.picture) throw InputError("{} is a fitted picture, which has no floaters", model.name);
    selectIsolated(v.work(), mediansOf(a));
}

void selectRare(Viewer& v, Arguments& a) {
    if (v.work().training) sceneTraining(v, "views that see splats rarely");
    selectRarelySeen(v.work(), a.more() ? a.count("the views") : 1);
}

void measureBetween(Viewer& v, Arguments& a) {
    const glm::dvec3 from = a.triple("the first point"), to = a.triple("the second point");
    Measuring& measuring = v.work().measuring;
    measuring.clear();
    measuring.add(from);
    measuring.add(to);
}

/// Scales the current model so that the measured distance has the length.
void scaleToLength(Viewer& v, Arguments& a) {
    Measuring& measuring = v.work().measuring;
    if (a.more()) measuring.knownLength = a.number("the length");
    if (!(measuring.knownLength > 0)) throw InputError("the known length is {:g}, expected more than 0", measuring.knownLength);
    const World::Id id = currentModel(v);
    const WorldModel& model = v.work().world[id];
    if (model.isFixed()) throw InputError("{} is locked or in training, and keeps its scale", model.name);
    v.work().history.setTransform(id, measuring.scaleTo(measuring.knownLength, model.transform));
}

void lockModel(Viewer& v, Arguments& a) {
    World& world = v.work().world;
    const World::Id id = currentModel(v);
    world.setLocked(id, a.more() ? a.count("1 or 0", 0, 1) != 0 : !world[id].locked);
    v.work().say(fmt::format("{} is {}", world[id].name, world[id].locked ? "locked" : "unlocked"));
}

/// Chooses the quantity of the histogram, and shows its panel.
void histogram(Viewer& v, Arguments& a) {
    v.work().counting.quantity = &splatQuantityByName(a.text("the quantity"));
    v.showPanel("Histogram");
}

/// Selects as a drag over the histogram does, once it is counted.
void selectValues(Viewer& v, Arguments& a) {
    const SplatQuantity& quantity = splatQuantityByName(a.text("the quantity"));
    const auto low = static_cast<float>(a.number("the minimum")), high = static_cast<float>(a.number("the maximum"));
    v.work().counting.quantity = &quantity;
    if (const auto missing = v.viewport().view().missing(quantity); !missing.empty()) throw InputError("{}: {}", quantity.label, missing);
    v.waitUntil({.what = "the histogram",
                 .until =
                     [&v, low, high] {
                         v.work().counting.want();
                         v.stir();
                         if (!v.work().counting.shown() || v.viewport().waiting() || v.viewport().stale()) return false;
                         v.viewport().selectValues(low, high, Combine::set);
                         return true;
                     },
                 .needsFrames = true});
}

void undo(Viewer& v, Arguments&) {
    const std::string name(v.work().history.undoName());
    v.work().history.undo();
    v.work().say(name.empty() ? "nothing to undo" : "undone: " + name);
}

void redo(Viewer& v, Arguments&) {
    const std::string name(v.work().history.redoName());
    v.work().history.redo();
    v.work().say(name.empty() ? "nothing to redo" : "redone: " + name);
}

template <Gizmo::Kind kKind>
void gizmo(Viewer& v, Arguments&) {
    Workspace& work = v.work();
    const bool toggles = !hasVolume(work.selecting.tool);  // else the handles are those of the tool's shape
    if (toggles) work.showsGizmo = !(work.showsGizmo && work.gizmo.kind == kKind);
    work.gizmo.kind = kKind;
}

void placeModel(Viewer& v, Arguments& a) {
    ModelTransform p;
    p.translation = a.triple("the position");
    const glm::dvec3 angles = a.triple("the rotation");
    p.rotation = glm::dquat(glm::radians(angles));
    p.scale = a.number("the scale", 1e-4, 1e4);
    v.work().history.setTransform(currentModel(v), p);
}

template <Tool kTool>
bool uses(const Viewer& v) {
    return v.work().selecting.tool == kTool;
}

template <Gizmo::Kind kKind>
bool hasGizmo(const Viewer& v) {
    return (v.work().showsGizmo || hasVolume(v.work().selecting.tool)) && v.work().gizmo.kind == kKind;
}

bool hasSelection(const Viewer& v) { return v.work().history.counts().selected > 0; }
bool hasHidden(const Viewer& v) { return v.work().history.counts().hidden > 0; }
bool canUndo(const Viewer& v) { return !v.work().history.undoName().empty(); }
bool canRedo(const Viewer& v) { return !v.work().history.redoName().empty(); }

/// Whether the current model's transform may change: one in training stays in the dataset's frame.
bool canPlace(const Viewer& v) {
    const auto& current = v.work().current;
    return hasVolume(v.work().selecting.tool) || (hasModel(v) && !v.work().world[*current].isFixed());
}

constexpr Action kActions[] = {
    {"navigate", "Escape", "Edit", "", "navigate with the pointer",
     [](Viewer& v, Arguments&) { selectTool(v, Tool::navigate, "drag to orbit"); }, uses<Tool::navigate>},
    {"rectangle", "X", "Edit", "", "rectangle selection",
     [](Viewer& v, Arguments&) { selectTool(v, Tool::rectangle, "drag a rectangle around what to select"); }, uses<Tool::rectangle>},
    {"brush", "B", "Edit", "", "brush selection",
     [](Viewer& v, Arguments&) { selectTool(v, Tool::brush, "brush over what to select; [ and ] change the size"); }, uses<Tool::brush>},
    {"lasso", "L", "Edit", "", "lasso selection", [](Viewer& v, Arguments&) { selectTool(v, Tool::lasso, "draw around what to select"); },
     uses<Tool::lasso>},
    {"polygon", "O", "Edit", "", "polygon selection",
     [](Viewer& v, Arguments&) {
         selectTool(v, Tool::polygon, "click corners; Enter, a double click or the first corner closes the polygon");
     },
     uses<Tool::polygon>},
    {"eyedropper", "I", "Edit", "", "select by the colour of a splat",
     [](Viewer& v, Arguments&) { selectTool(v, Tool::eyedropper, "click a splat to select those of similar colours"); },
     uses<Tool::eyedropper>},
    {"flood", "G", "Edit", "", "select what is behind similar pixels",
     [](Viewer& v, Arguments&) { selectTool(v, Tool::flood, "click a pixel to select behind it and similar pixels around it"); },
     uses<Tool::flood>},
    {"sphere", "", "Edit", "", "sphere in the scene that selects", selectVolume<Tool::sphere>, uses<Tool::sphere>},
    {"box", "", "Edit", "", "box in the scene that selects", selectVolume<Tool::box>, uses<Tool::box>},
    {"measure", "J", "Edit", "", "measure the distance of two points",
     [](Viewer& v, Arguments&) { selectTool(v, Tool::measure, "click two points"); }, uses<Tool::measure>},
    {"scale_to_length", "", "Edit", "[LENGTH]", "scale the current model so that the measured distance has the known length", scaleToLength,
     nullptr, [](const Viewer& v) { return hasModel(v) && v.work().measuring.distance(); }},
    {"apply_shape", "Enter", "", "", "select by the polygon, sphere or box", applyShape<Combine::set>},
    {"add_shape", "Shift+Enter", "", "", "add the polygon, sphere or box to the selection", applyShape<Combine::add>},
    {"remove_shape", "Ctrl+Enter", "", "", "remove the polygon, sphere or box from the selection", applyShape<Combine::remove>},
    {"smaller_brush", "[", "", "", "decrease brush size",
     [](Viewer& v, Arguments&) { v.work().selecting.brushRadius = std::max(v.work().selecting.brushRadius / 1.25F, 2.0F); }},
    {"larger_brush", "]", "", "", "increase brush size",
     [](Viewer& v, Arguments&) { v.work().selecting.brushRadius = std::min(v.work().selecting.brushRadius * 1.25F, 300.0F); }},
    {"select_all", "Ctrl+A", "Edit", "", "select all in the current model", edit<MarkEdit::selectAll>, nullptr, hasModel},
    {"select_none", "Ctrl+Shift+A", "Edit", "", "select none", edit<MarkEdit::selectNone>, nullptr, hasSelection},
    {"invert", "Ctrl+I", "Edit", "", "invert the selection", edit<MarkEdit::invert>, nullptr, hasModel},
    {"select_floaters", "", "Edit", "[MEDIANS]", "select splats that are far from their neighbours", selectFloaters, nullptr,
     [](const Viewer& v) { return hasModel(v) && !v.work().world[*v.work().current].picture; }},
    {"select_rarely_seen", "", "Edit", "[VIEWS]", "select splats that at most one view of the dataset shows, or so many", selectRare,
     nullptr, [](const Viewer& v) { return hasModel(v) && hasScene(v); }},
    {"hide", "H", "Edit", "", "hide the selection", edit<MarkEdit::hide>, nullptr, hasSelection},
    {"show_all", "Shift+H", "Edit", "", "show hidden splats", edit<MarkEdit::unhide>, nullptr, hasHidden},
    {"delete", "Delete", "Edit", "", "delete the selection", edit<MarkEdit::deleteSelected>, nullptr, hasSelection},
    {"crop", "Ctrl+K", "Edit", "", "delete everything else in the current model", edit<MarkEdit::crop>, nullptr, hasSelection},
    {"undo", "Ctrl+Z", "Edit", "", "undo", undo, nullptr, canUndo},
    {"redo", "Ctrl+Shift+Z", "Edit", "", "redo", redo, nullptr, canRedo},
    {"separate", "Ctrl+Shift+D", "Edit", "", "move the selection into a model of its own",
     [](Viewer& v, Arguments&) { v.work().separate(); }, nullptr, hasSelection},
    {"lock", "Ctrl+L", "Edit", "[0|1]", "protect the current model from edits", lockModel,
     [](const Viewer& v) { return hasModel(v) && v.work().world[*v.work().current].locked; }, hasModel},
    {"duplicate", "Ctrl+D", "Edit", "", "duplicate the current model; the copy of a model in training can be edited",
     [](Viewer& v, Arguments&) { v.work().duplicate(currentModel(v)); }, nullptr, hasModel},
    {"move_model", "1", "Edit", "", "move gizmo for the current model", gizmo<Gizmo::Kind::move>, hasGizmo<Gizmo::Kind::move>, canPlace},
    {"rotate_model", "2", "Edit", "", "rotate gizmo for the current model", gizmo<Gizmo::Kind::turn>, hasGizmo<Gizmo::Kind::turn>,
     canPlace},
    {"scale_model", "3", "Edit", "", "scale gizmo for the current model", gizmo<Gizmo::Kind::scale>, hasGizmo<Gizmo::Kind::scale>,
     canPlace},
    {"all_models", "", "Edit", "[0|1]", "select in all visible models, or in the current one only", allModels,
     [](const Viewer& v) { return v.work().selecting.allModels; }},
    {"select_sphere", "", "", "X Y Z RADIUS [all_models]", "select by a sphere in world space", selectSphere},
    {"select_box", "", "", "X Y Z HX HY HZ [all_models]", "select by a box in world space", selectBox},
    {"select_opacity", "", "", "LOW HIGH [all_models]", "select by opacity range", selectOpacity},
    {"tolerance", "", "", "PART", "largest difference of a channel, 0 to 1, for eyedropper and flood", tolerance},
    {"place_sphere", "", "", "X Y Z RADIUS", "put the tool's sphere somewhere in world space", placeSphere},
    {"place_box", "", "", "X Y Z HX HY HZ RX RY RZ", "put the tool's box somewhere in world space; angles in degrees", placeBox},
    {"measure_between", "", "", "X Y Z X Y Z", "measure the distance of two points of world space", measureBetween},
    {"histogram", "", "", "QUANTITY", "show the histogram of scale, opacity, sh-energy, radius, gradient or error", histogram},
    {"select_values", "", "", "QUANTITY LOW HIGH", "select by a range of a quantity, as in the histogram", selectValues},
    {"place", "", "", "X Y Z RX RY RZ SCALE", "set the current model's transform; angles in degrees", placeModel},
};

}  // namespace

std::span<const Action> editActions() { return kActions; }

}  // namespace splat::app
