#include "viewer/actions.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include <fmt/ranges.h>

#include "core/error.h"
#include "core/settings.h"
#include "viewer/state_report.h"
#include "viewer/viewer.h"

namespace splat::app {

namespace {

namespace fs = std::filesystem;

Training& training(Viewer& v) {
    if (!v.work().training) throw InputError("no dataset is open");
    return *v.work().training;
}

World::Id currentModel(Viewer& v) {
    if (!v.work().current) throw InputError("no model is chosen");
    return *v.work().current;
}

void open(Viewer& v, Arguments& a) {
    if (!a.more()) return v.work().dialog.open("Open splats or a dataset folder", [&v](const fs::path& path) { v.work().open(path); });
    v.work().open(a.text("the path"));
    v.waitUntil("the file", [&v] { return !v.work().busy(); });
}

void save(Viewer& v, Arguments& a) {
    const World::Id id = currentModel(v);
    if (a.more()) return v.work().save(id, a.text("the path"));
    v.work().dialog.save("Save splats", v.work().world[id].name + ".ply", ".ply", [&v, id](const fs::path& path) {
        if (v.work().world.has(id)) v.work().save(id, path);
    });
}

void close(Viewer& v, Arguments&) { v.work().remove(currentModel(v)); }

void screenshot(Viewer& v, Arguments& a) {
    if (a.more()) return v.screenshot(a.text("the path"));
    v.work().dialog.save("Save what the screen shows", "screenshot.png", ".png", [&v](const fs::path& path) { v.screenshot(path); });
}

void quit(Viewer& v, Arguments&) { v.quit(); }

void frameAll(Viewer& v, Arguments&) { v.work().frameAll(); }

void resetView(Viewer& v, Arguments&) {
    v.work().giveBack();
    v.work().navigator.reset(v.work().world.extent());
}

void toggleFly(Viewer& v, Arguments&) {
    Navigator& n = v.work().navigator;
    n.setMode(n.mode() == Navigator::Mode::fly ? Navigator::Mode::orbit : Navigator::Mode::fly);
    v.work().say(n.mode() == Navigator::Mode::fly ? "fly: W A S D Q E, drag to look around" : "orbit: drag to turn");
}

void togglePanels(Viewer& v, Arguments&) { v.showsPanels() = !v.showsPanels(); }
void toggleHelp(Viewer& v, Arguments&) { v.showsHelp() = !v.showsHelp(); }

void nextPicture(Viewer& v, Arguments&) {
    const auto rows = pictureTable();
    const auto at = std::ranges::find(rows, std::string_view(v.work().picture.picture), &PictureRow::name);
    const PictureRow& next = at + 1 < rows.end() ? *(at + 1) : rows.front();
    v.work().picture.picture = next.name;
    v.work().say(std::string(next.label));
}

void setPicture(Viewer& v, Arguments& a) { v.work().picture.picture = pictureByName(a.text("the picture")).name; }

void set(Viewer& v, Arguments& a) {
    const std::string name = a.text("the setting");
    const auto fields = settingFields(v.work().picture);
    setSetting(findSetting(fields, name, "set"), a.text("the value"), "set");
}

void camera(Viewer& v, Arguments& a) {
    const glm::dvec3 eye = a.triple("the eye"), target = a.triple("the target");
    v.work().giveBack();
    v.work().navigator.look(eye, target);
}

void orbit(Viewer& v, Arguments& a) {
    const double yaw = a.number("the turn");
    v.work().giveBack();
    v.work().navigator.orbit(yaw, a.number("the tilt"));
}

void up(Viewer& v, Arguments& a) { v.work().navigator.setUp(a.triple("the direction")); }
void fieldOfView(Viewer& v, Arguments& a) { v.work().navigator.setFieldOfView(a.number("the angle")); }

void model(Viewer& v, Arguments& a) {
    const std::string name = a.text("the model");
    for (const World::Id id : v.work().world.ids()) {
        if (v.work().world[id].name == name) v.work().current = id;
    }
    if (!v.work().current || v.work().world[*v.work().current].name != name) throw InputError("model '{}' is not open", name);
}

void visible(Viewer& v, Arguments& a) { v.work().world.setVisible(currentModel(v), a.count("1 or 0") != 0); }

void placeModel(Viewer& v, Arguments& a) {
    Placement p;
    p.translation = a.triple("the position");
    const glm::dvec3 angles = a.triple("the turn");
    p.rotation = glm::dquat(glm::radians(angles));
    p.scale = a.number("the scale");
    if (!(p.scale > 0)) throw InputError("place: the scale is {}, expected a number above 0", p.scale);
    v.work().world.setPlacement(currentModel(v), p);
}

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
    v.work().history.edit(kEdit);
}

void selectSphere(Viewer& v, Arguments& a) {
    const glm::dvec3 centre = a.triple("the centre");
    v.work().history.select(WorldSphere{centre, a.number("the radius")}, Combine::set);
}

void selectBox(Viewer& v, Arguments& a) {
    const glm::dvec3 centre = a.triple("the centre"), half = a.triple("the half size");
    v.work().history.select(WorldBox{.centre = centre, .halfSize = half}, Combine::set);
}

void selectOpacity(Viewer& v, Arguments& a) {
    const auto low = static_cast<float>(a.number("the least"));
    v.work().history.select(OpacityRange{low, static_cast<float>(a.number("the largest"))}, Combine::set);
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

void train(Viewer& v, Arguments&) {
    Training& t = training(v);
    t.state().phase == LivePhase::running ? t.live().pause() : t.live().start();
}
void step(Viewer& v, Arguments&) { training(v).live().step(); }
void evaluate(Viewer& v, Arguments&) { training(v).live().evaluate(); }
void reset(Viewer& v, Arguments&) { training(v).live().reset(training(v).settings); }

void setTraining(Viewer& v, Arguments& a) {
    TrainSettings& settings = v.work().training ? v.work().training->settings : v.work().trainSettings;
    const std::string name = a.text("the setting");
    setSetting(findSetting(settingFields(settings), name, "train_set"), a.text("the value"), "train_set");
    if (v.work().training) v.work().training->apply();
}

void saveCheckpoint(Viewer& v, Arguments& a) {
    Training& t = training(v);
    if (a.more()) return t.live().saveCheckpoint(a.text("the path"));
    v.work().dialog.save("Save a checkpoint", "checkpoint.splat-ckpt", ".splat-ckpt", [&v](const fs::path& path) {
        if (v.work().training) v.work().training->live().saveCheckpoint(path);
    });
}

/// by: cameras further on; the test and training views follow one another by name.
void stepView(Viewer& v, int by) {
    const auto count = static_cast<int>(training(v).views().size());
    if (count == 0) return;
    const auto& now = v.work().borrowedView;
    const int next = now ? static_cast<int>(*now) + by : 0;
    v.work().borrow(static_cast<size_t>((next + count) % count));
    v.work().say(training(v).views()[*v.work().borrowedView].name);
}
void nextView(Viewer& v, Arguments&) { stepView(v, 1); }
void previousView(Viewer& v, Arguments&) { stepView(v, -1); }

void view(Viewer& v, Arguments& a) {
    const std::string name = a.text("the photograph");
    const auto& views = training(v).views();
    const auto found = std::ranges::find(views, name, &LiveView::name);
    if (found == views.end()) throw InputError("photograph '{}' is not in the dataset", name);
    v.work().borrow(static_cast<size_t>(found - views.begin()));
}

void toggleCameras(Viewer& v, Arguments&) { v.work().showsCameras = !v.work().showsCameras; }
void togglePhotograph(Viewer& v, Arguments&) { v.work().showsPhotograph = !v.work().showsPhotograph; }

void bookmark(Viewer& v, Arguments&) {
    v.work().bookmarks.push_back(poseOf(v.work().navigator));
    v.work().say(fmt::format("bookmark {}", v.work().bookmarks.size()));
}

void addKey(Viewer& v, Arguments&) {
    v.work().flight.add(poseOf(v.work().navigator));
    v.work().say(fmt::format("the path has {} keys", v.work().flight.keys().size()));
}
void clearPath(Viewer& v, Arguments&) { v.work().flight.clear(); }
void play(Viewer& v, Arguments& a) { v.play(a.more() ? a.count("frames") : 240, {}); }

void renderPath(Viewer& v, Arguments& a) {
    const auto render = [&v](const fs::path& folder, uint32_t frames) {
        fs::create_directories(folder);
        v.play(frames, folder);
    };
    if (!a.more())
        return v.work().dialog.save("Render the path into a new folder", "path", "", [render](const fs::path& p) { render(p, 240); });
    const fs::path folder = a.text("the folder");
    render(folder, a.count("frames"));
    v.waitUntil("the path's pictures", [&v] { return !v.playing(); });
}

void reload(Viewer& v, Arguments&) {
    v.reloading().begin();
    v.work().say("compiling shaders");
    v.waitUntil("the compiler", [&v] { return !v.reloading().busy(); });
}

void capture(Viewer& v, Arguments&) {
    v.capturing().captureFrame();
    ++v.work().revision;  // a frame without a picture would show little
    v.waitUntil("the capture", [&v] { return !v.capturing().busy(); });
}

void captureStep(Viewer& v, Arguments&) {
    v.capturing().captureStep(training(v));
    v.waitUntil("the capture", [&v] { return !v.capturing().busy(); });
}

/// A place on the screen; with a % behind it, of the viewport.
glm::vec2 screenPoint(Viewer& v, Arguments& a) {
    glm::vec2 point(0);
    for (int axis = 0; axis < 2; ++axis) {
        std::string word = a.text("the place");
        const bool part = word.ends_with('%');
        if (part) word.pop_back();
        Arguments number("the place", {word});
        const auto value = static_cast<float>(number.number("a coordinate"));
        const Viewport& view = v.viewport();
        point[axis] = part ? static_cast<float>(view.low()[axis]) + value / 100 * static_cast<float>(view.size()[axis]) : value;
    }
    return point;
}

ScriptedPointer::Button button(Arguments& a) {
    if (!a.more()) return 0;
    const std::string name = a.text("the button");
    for (size_t i = 0; const char* known : {"left", "right", "middle"}) {
        if (name == known) return i;
        ++i;
    }
    throw InputError("button '{}', expected left, right or middle", name);
}

void move(Viewer& v, Arguments& a) { v.pointer().move(screenPoint(v, a)); }

void click(Viewer& v, Arguments& a) {
    const glm::vec2 at = screenPoint(v, a);
    v.pointer().click(at, button(a));
}

void doubleClick(Viewer& v, Arguments& a) {
    const glm::vec2 at = screenPoint(v, a);
    v.pointer().click(at, 0);
    v.pointer().click(at, 0);
}

void drag(Viewer& v, Arguments& a) {
    const glm::vec2 from = screenPoint(v, a), to = screenPoint(v, a);
    v.pointer().drag(from, to, button(a));
}

void wheel(Viewer& v, Arguments& a) {
    const glm::vec2 at = screenPoint(v, a);
    v.pointer().wheel(at, static_cast<float>(a.number("the turns")));
}

/// Modifiers that the pointer's next movements go with.
void modifiers(Viewer& v, Arguments& a) {
    std::vector<std::string> names;
    while (a.more()) names.push_back(a.text("a modifier"));
    const auto has = [&](const char* name) { return std::ranges::find(names, name) != names.end(); };
    v.pointer().hold(has("shift"), has("ctrl"), has("alt"));
}

void key(Viewer& v, Arguments& a) {
    const std::string chord = a.text("the key");
    const Action* action = actionOfChord(chord);
    if (!action) throw InputError("key '{}' does nothing", chord);
    v.act(action->name);
}

void hold(Viewer& v, Arguments& a) {
    const std::string name = a.text("the key");
    v.hold(name, a.count("frames"));
}

void wait(Viewer& v, Arguments& a) {
    const std::string what = a.text("what to wait for");
    if (what == "frames") {
        const uint64_t until = v.frames() + a.count("frames");
        return v.waitUntil("frames", [&v, until] {
            v.stir();
            return v.frames() >= until;
        });
    }
    if (what == "seconds") {
        const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(a.number("seconds"));
        return v.waitUntil("seconds", [until] { return std::chrono::steady_clock::now() >= until; });
    }
    if (what == "file") {
        const fs::path path = a.text("the path");
        return v.waitUntil(path.string(), [path] { return fs::exists(path); });
    }
    if (what == "step") {
        const uint32_t step = a.count("the step");
        return v.waitUntil(fmt::format("step {}", step), [&v, step] { return training(v).state().last.step >= step; });
    }
    if (what == "phase") {
        const std::string phase = a.text("the phase");
        return v.waitUntil(fmt::format("phase {}", phase), [&v, phase] { return nameOf(training(v).state().phase) == phase; });
    }
    if (what == "evaluation") {
        const size_t before = training(v).state().evaluations.size();
        return v.waitUntil("an evaluation", [&v, before] { return training(v).state().evaluations.size() > before; });
    }
    if (what == "picture") return v.waitUntil("the picture", [&v] { return !v.viewport().stale() && !v.viewport().waiting(); });
    throw InputError("wait for '{}', expected frames, seconds, file, picture, step, phase or evaluation", what);
}

void resize(Viewer& v, Arguments& a) {
    const uint32_t width = a.count("the width");
    v.resize(glm::max(glm::uvec2(width, a.count("the height")), 1u));
}

void report(Viewer& v, Arguments& a) { writeStateReport(v, a.text("the path")); }

constexpr Action kActions[] = {
    {"open", "Ctrl+O", "File", "PATH", "open splats or a dataset folder", open},
    {"save", "Ctrl+S", "File", "PATH", "save the chosen model as PLY, as it is edited and placed", save},
    {"close", "Ctrl+W", "File", "", "close the chosen model", close},
    {"screenshot", "F2", "File", "PATH", "save what the screen shows as PNG", screenshot},
    {"quit", "Ctrl+Q", "File", "", "leave", quit},
    {"frame", "F", "View", "", "see all models whole", frameAll},
    {"reset_view", "Shift+F", "View", "", "see all models from the front", resetView},
    {"fly", "V", "View", "", "between orbit and fly", toggleFly},
    {"next_picture", "M", "View", "", "the next of the pictures: depth, opacity, ...", nextPicture},
    {"next_view", "PageDown", "View", "", "look through the next camera of the dataset", nextView},
    {"previous_view", "PageUp", "View", "", "look through the one before", previousView},
    {"cameras", "C", "View", "", "show and hide the dataset's cameras", toggleCameras},
    {"photograph", "P", "View", "", "the photograph beside the picture, while looking through its camera", togglePhotograph},
    {"bookmark", "Ctrl+B", "View", "", "remember this view", bookmark},
    {"add_key", "K", "View", "", "add this view to the camera's path", addKey},
    {"clear_path", "", "View", "", "forget the path", clearPath},
    {"play", "Space", "View", "[FRAMES]", "fly along the path", play},
    {"render_path", "", "View", "FOLDER FRAMES", "fly along the path and save every picture as PNG", renderPath},
    {"navigate", "Escape", "Edit", "", "the pointer turns the view", navigate},
    {"rectangle", "X", "Edit", "", "select by a rectangle", rectangle},
    {"brush", "B", "Edit", "", "select with a brush", brush},
    {"lasso", "L", "Edit", "", "select by an outline", lasso},
    {"smaller_brush", "[", "", "", "a smaller brush", smallerBrush},
    {"larger_brush", "]", "", "", "a larger brush", largerBrush},
    {"select_all", "Ctrl+A", "Edit", "", "select all", edit<MarkEdit::selectAll>},
    {"select_none", "Ctrl+Shift+A", "Edit", "", "select none", edit<MarkEdit::selectNone>},
    {"invert", "Ctrl+I", "Edit", "", "select what is not selected", edit<MarkEdit::invert>},
    {"hide", "H", "Edit", "", "hide the selected", edit<MarkEdit::hide>},
    {"show_all", "Shift+H", "Edit", "", "show what was hidden", edit<MarkEdit::unhide>},
    {"delete", "Delete", "Edit", "", "delete the selected", edit<MarkEdit::deleteSelected>},
    {"crop", "Ctrl+K", "Edit", "", "delete all but the selected", edit<MarkEdit::crop>},
    {"undo", "Ctrl+Z", "Edit", "", "undo", undo},
    {"redo", "Ctrl+Shift+Z", "Edit", "", "redo", redo},
    {"move_model", "1", "Edit", "", "handles that move the chosen model", gizmo<Gizmo::Kind::move>},
    {"turn_model", "2", "Edit", "", "handles that turn it", gizmo<Gizmo::Kind::turn>},
    {"scale_model", "3", "Edit", "", "a handle that scales it", gizmo<Gizmo::Kind::scale>},
    {"train", "T", "Train", "", "start and pause training", train},
    {"step", "N", "Train", "", "one step", step},
    {"reset", "", "Train", "", "begin anew", reset},
    {"evaluate", "Ctrl+E", "Train", "", "score the test views now", evaluate},
    {"save_checkpoint", "", "Train", "PATH", "save all that training needs to go on", saveCheckpoint},
    {"reload", "R", "View", "", "compile shaders that were edited and take them into use", reload},
    {"capture", "F12", "View", "", "RenderDoc: capture a frame", capture},
    {"capture_step", "Shift+F12", "Train", "", "RenderDoc: capture a training step", captureStep},
    {"panels", "Tab", "View", "", "hide and show the panels", togglePanels},
    {"help", "F1", "Help", "", "this list of keys", toggleHelp},
    {"picture", "", "", "NAME", "choose a picture", setPicture},
    {"set", "", "", "KEY VALUE", "change a setting of pictures", set},
    {"train_set", "", "", "KEY VALUE", "change a setting of training, of the next dataset's where none is open", setTraining},
    {"view", "", "", "NAME", "look through the camera of a photograph", view},
    {"select_sphere", "", "", "X Y Z RADIUS", "select by a ball in the world", selectSphere},
    {"select_box", "", "", "X Y Z HX HY HZ", "select by a box in the world", selectBox},
    {"select_opacity", "", "", "LOW HIGH", "select by opacity", selectOpacity},
    {"camera", "", "", "EX EY EZ TX TY TZ", "look from one point at another", camera},
    {"orbit", "", "", "TURN TILT", "turn around the target, degrees", orbit},
    {"up", "", "", "X Y Z", "the world's up", up},
    {"field_of_view", "", "", "DEGREES", "along the shorter side", fieldOfView},
    {"model", "", "", "NAME", "choose a model", model},
    {"visible", "", "", "0|1", "hide or show the chosen model", visible},
    {"place", "", "", "X Y Z RX RY RZ SCALE", "place the chosen model; angles in degrees", placeModel},
    {"move", "", "", "X Y", "move the pointer; with %, parts of the viewport", move},
    {"click", "", "", "X Y [BUTTON]", "press and release", click},
    {"double_click", "", "", "X Y", "twice", doubleClick},
    {"drag", "", "", "X0 Y0 X1 Y1 [BUTTON]", "press, move, release", drag},
    {"wheel", "", "", "X Y TURNS", "turn the wheel", wheel},
    {"modifiers", "", "", "[shift] [ctrl] [alt]", "held with the pointer from now on", modifiers},
    {"key", "", "", "CHORD", "press a key", key},
    {"hold", "", "", "KEY FRAMES", "keep a key down", hold},
    {"wait", "", "", "frames N|seconds S|file PATH|picture|step N|phase NAME|evaluation", "go on later", wait},
    {"resize", "", "", "W H", "without a window: the screen's size", resize},
    {"report", "", "", "PATH", "write what there is to know as JSON", report},
};

}  // namespace

std::span<const Action> actionTable() { return kActions; }

const Action& actionByName(std::string_view name) {
    std::vector<std::string_view> known;
    for (const Action& action : kActions) {
        if (action.name == name) return action;
        known.emplace_back(action.name);
    }
    throw InputError("unknown action '{}', expected one of {}", name, fmt::join(known, ", "));
}

const Action* actionOfChord(std::string_view chord) {
    if (chord.empty()) return nullptr;
    const auto found = std::ranges::find_if(kActions, [&](const Action& a) { return a.chord == chord; });
    return found == std::end(kActions) ? nullptr : &*found;
}

}  // namespace splat::app
