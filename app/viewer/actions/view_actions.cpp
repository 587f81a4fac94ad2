#include "viewer/actions/groups.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fmt/ranges.h>

#include <splatwright/core/error.h>
#include <splatwright/core/settings.h>
#include <splatwright/scene/files/file_endings.h>
#include "viewer/viewer/viewer.h"

namespace splat::app {

namespace {

namespace fs = std::filesystem;

void resetView(Viewer& v, Arguments&) {
    v.work().giveBack();
    v.work().navigator.reset(v.work().world.extent());
}

void toggleFly(Viewer& v, Arguments&) {
    Navigator& n = v.work().navigator;
    n.setMode(n.mode() == Navigator::Mode::fly ? Navigator::Mode::orbit : Navigator::Mode::fly);
    v.work().say(n.mode() == Navigator::Mode::fly ? "fly: W A S D Q E, drag to look around" : "orbit: drag to orbit");
}

void nextRenderMode(Viewer& v, Arguments&) {
    const auto rows = renderModes();
    const auto at = std::ranges::find(rows, std::string_view(v.work().picture.picture), &RenderMode::name);
    const RenderMode& next = at + 1 < rows.end() ? *(at + 1) : rows.front();
    v.work().showMode(next.name);
    v.work().say(std::string(next.label));
}

void set(Viewer& v, Arguments& a) {
    const std::string name = a.text("the setting");
    const std::string now = name == "picture" ? "render_mode" : name == "split" ? "compare_slider" : name;  // words of earlier scripts
    const auto fields = settingFields(v.work().picture);
    setSetting(findSetting(fields, now, "set"), a.text("the value"), "set");
    v.work().modeRanges.follow(v.work().picture);
}

void camera(Viewer& v, Arguments& a) {
    const glm::dvec3 eye = a.triple("the eye"), target = a.triple("the target");
    if (eye == target) throw InputError("camera: the eye and the target are one point, expected two");
    v.work().giveBack();
    v.work().navigator.look(eye, target);
}

void orbit(Viewer& v, Arguments& a) {
    const double yaw = a.number("the turn");
    v.work().giveBack();
    v.work().navigator.orbit(yaw, a.number("the tilt"));
}

/// by: number of cameras to advance; test and training views are in one list, sorted by name.
void stepView(Viewer& v, int by) {
    const auto count = static_cast<int>(training(v).views().size());
    if (count == 0) return;
    const auto& now = v.work().borrowedView;
    const int next = now ? static_cast<int>(*now) + by : 0;
    v.work().borrow(static_cast<size_t>((next + count) % count));
    v.work().say(training(v).views()[*v.work().borrowedView].name);
}

void view(Viewer& v, Arguments& a) {
    const std::string name = a.text("the image name");
    const auto& views = training(v).views();
    const auto found = std::ranges::find(views, name, &LiveView::name);
    if (found == views.end()) throw InputError("image '{}' is not in the dataset", name);
    v.work().borrow(static_cast<size_t>(found - views.begin()));
}

void bookmark(Viewer& v, Arguments&) {
    v.work().bookmarks.push_back(poseOf(v.work().navigator));
    v.work().say(fmt::format("bookmark {}", v.work().bookmarks.size()));
}

void uiScale(Viewer& v, Arguments& a) {
    const double scale = a.number("the scale", 0, 4);
    if (scale != 0 && scale < 0.5) throw InputError("ui_scale: the scale is '{}', expected 0 or a number from 0.5 to 4", scale);
    v.setScale(static_cast<float>(scale));
}

void panel(Viewer& v, Arguments& a) {
    const std::string title = a.text("the title");
    const auto found = v.openPanels().find(title);
    if (found == v.openPanels().end()) {
        std::vector<std::string> known;
        for (const auto& [name, open] : v.openPanels()) known.push_back(name);
        throw InputError("panel '{}', expected one of: {}", title, fmt::join(known, ", "));
    }
    const bool opens = a.more() ? a.count("1 or 0", 0, 1) != 0 : !found->second;
    if (opens) return v.showPanel(title);
    found->second = false;
}

void reload(Viewer& v, Arguments&) {
    v.reloading().begin();
    v.work().say("compiling shaders");
    v.waitUntil({.what = "the compiler", .until = [&v] { return !v.reloading().busy(); }});
}

void capture(Viewer& v, Arguments&) {
    v.capturing().captureFrame();
    ++v.work().revision;  // a frame without a picture would show little
    v.waitUntil({.what = "the capture", .until = [&v] { return !v.capturing().busy(); }, .needsFrames = true});
}

/// Keeps the present range for the mode, or lets it follow the picture again.
void lockRange(Viewer& v, Arguments&) {
    RenderSettings& settings = v.work().picture;
    const auto range = v.viewport().range();
    if (!settings.autoRange) return v.work().modeRanges.unlock(settings);
    if (!range) throw InputError("render mode {} has no values whose range could be locked", settings.picture);
    v.work().modeRanges.lock(settings, *range);
}

/// Reads all that the panel shows of the last picture. Returns false while that is to come.
bool readInside(Viewer& v, std::optional<uint32_t> place) {
    if (v.viewport().waiting() || v.viewport().stale()) return false;
    Inside& inside = v.inside();
    inside.hurry();
    inside.follow(v.work(), v.viewport());
    if (place) inside.choice.place = *place;
    inside.frame(v.work(), v.viewport());
    if (InsideBackward* backward = inside.backward(v.work(), v.viewport()).get()) backward->readAll(inside.choice.place);
    inside.draw(v.work(), v.viewport());
    return !inside.awaitsDraw();
}

/// Of the gradients, those of a splat of the tile's list, counted from 0.
void seeInside(Viewer& v, Arguments& a) {
    const auto place = a.more() ? std::optional(a.count("the splat's place in the tile's list")) : std::nullopt;
    v.waitUntil({.what = "the picture", .until = [&v, place] { return readInside(v, place); }, .needsFrames = true});
}

void showInside(Viewer& v, Arguments& a) {
    const auto& names = Inside::kNames;
    const std::string name = a.text("what is shown");
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) throw InputError("found '{}', expected one of {}", name, fmt::join(names, ", "));
    const auto shown = static_cast<Inside::Shown>(found - names.begin());
    if (a.more()) v.inside().stepper(shown) = {.step = static_cast<int>(a.count("the step"))};
    v.inside().choice.shown = shown;
}

void backgroundPicture(Viewer& v, Arguments& a) {
    if (a.more()) return v.work().backdrop.load(a.text("the image"));
    v.work().dialog.open(
        "Open a picture to show behind the splats", {kPhotographEndings.begin(), kPhotographEndings.end()},
        [&v](const fs::path& path) { v.work().backdrop.load(path); }, FileDialog::Wanted::file);
}

template <bool SceneAids::*kAid>
void toggleAid(Viewer& v, Arguments&) {
    bool& shown = v.work().aids.*kAid;
    shown = !shown;
}

template <bool SceneAids::*kAid>
bool showsAid(const Viewer& v) {
    return v.work().aids.*kAid;
}

constexpr Action kActions[] = {
    {"frame", "F", "View", "", "frame all models", [](Viewer& v, Arguments&) { v.work().frameAll(); }},
    {"reset_view", "Shift+F", "View", "", "reset the camera", resetView},
    {"fly", "V", "View", "", "toggle orbit and fly", toggleFly,
     [](const Viewer& v) { return v.work().navigator.mode() == Navigator::Mode::fly; }, isSolid},
    {"next_render_mode", "M", "View", "", "next render mode: depth, opacity, ...", nextRenderMode},
    {"next_view", "PageDown", "View", "", "next camera of the dataset", [](Viewer& v, Arguments&) { stepView(v, 1); }, nullptr, hasDataset},
    {"previous_view", "PageUp", "View", "", "previous camera of the dataset", [](Viewer& v, Arguments&) { stepView(v, -1); }, nullptr,
     hasDataset},
    {"cameras", "C", "View", "", "show or hide the dataset's cameras",
     [](Viewer& v, Arguments&) { v.work().showsCameras = !v.work().showsCameras; }, [](const Viewer& v) { return v.work().showsCameras; },
     hasScene},
    {"thumbnails", "Shift+C", "View", "", "show or hide images in the cameras",
     [](Viewer& v, Arguments&) { v.work().showsThumbnails = !v.work().showsThumbnails; },
     [](const Viewer& v) { return v.work().showsThumbnails; }, hasScene},
    {"ground_truth", "P", "View", "", "ground truth beside the render, in a camera of the dataset",
     [](Viewer& v, Arguments&) { v.work().toggleGroundTruth(); }, [](const Viewer& v) { return v.work().showsGroundTruth(); }, hasDataset},
    {"bookmark", "Ctrl+B", "View", "", "bookmark this view", bookmark},
    {"legend", "", "View", "", "show or hide the legend of values",
     [](Viewer& v, Arguments&) { v.work().showsLegend = !v.work().showsLegend; }, [](const Viewer& v) { return v.work().showsLegend; }},
    {"orthographic", "5", "View", "", "toggle orthographic and perspective projection",
     [](Viewer& v, Arguments&) {
         v.work().giveBack();
         v.work().orthographic = !v.work().orthographic;
     },
     [](const Viewer& v) { return v.work().orthographic; }, isSolid},
    {"grid", "", "View", "", "show or hide a grid through the origin", toggleAid<&SceneAids::grid>, showsAid<&SceneAids::grid>, isSolid},
    {"axes", "", "View", "", "show or hide the world's axes", toggleAid<&SceneAids::axes>, showsAid<&SceneAids::axes>, isSolid},
    {"orientation_cube", "", "View", "", "show or hide the orientation cube; click a face to look from that side",
     toggleAid<&SceneAids::cube>, showsAid<&SceneAids::cube>, isSolid},
    {"background_picture", "", "View", "[PATH]", "show a picture behind the splats", backgroundPicture},
    {"remove_background_picture", "", "View", "", "show the background's colour again",
     [](Viewer& v, Arguments&) { v.work().backdrop.remove(); }, nullptr, [](const Viewer& v) { return !v.work().backdrop.name().empty(); }},
    {"lock_range", "", "View", "", "keep the present range of values in this render mode, or let it follow the picture again", lockRange,
     [](const Viewer& v) { return !v.work().picture.autoRange; }, [](const Viewer& v) { return v.viewport().range().has_value(); }},
    {"see_inside", "", "", "[PLACE]",
     "read how the last clicked pixel was made, for `report`; gradients of the splat at a place of the tile's list, from 0", seeInside},
    {"show_inside", "", "", "NAME [STEP]", "what that panel shows: blend, list, radix, network, gradient, additions, draw", showInside},
    {"reload_shaders", "R", "View", "", "reload edited shaders", reload},
    {"capture", "F12", "View", "", "capture a frame with RenderDoc", capture},
    {"toggle_ui", "Tab", "Window", "", "show or hide menus and panels", [](Viewer& v, Arguments&) { v.showsPanels() = !v.showsPanels(); }},
    {"reset_layout", "", "Window", "", "open and dock the panels as at first", [](Viewer& v, Arguments&) { v.resetLayout(); }},
    {"ui_scale", "", "", "NUMBER", "scale of panels and text, 0.5 to 4; 0: the display's", uiScale},
    {"panel", "", "", "TITLE [0|1]", "open a panel in front of others, or close it", panel},
    {"help", "F1", "Help", "", "this list of keys", [](Viewer& v, Arguments&) { v.showsHelp() = !v.showsHelp(); },
     [](const Viewer& v) { return v.showsHelp(); }},
    {"message", "", "Help", "", "the last message in full",
     [](Viewer& v, Arguments&) {
         if (!v.work().lastMessage().empty()) v.message().show(v.work().lastMessage());
     },
     nullptr, [](const Viewer& v) { return !v.work().lastMessage().empty(); }},
    {"render_mode", "", "", "NAME", "choose a render mode",
     [](Viewer& v, Arguments& a) { v.work().showMode(renderModeByName(a.text("the render mode")).name); }},
    {"set", "", "", "KEY VALUE", "change a render setting", set},
    {"view", "", "", "NAME", "look through a camera of the dataset, by its image", view},
    {"camera", "", "", "EX EY EZ TX TY TZ", "set the camera's position and target", camera},
    {"orbit", "", "", "TURN TILT", "orbit around the target, degrees", orbit},
    {"view_from", "", "", "SIDE", "look at the target from x, -x, y, -y, z or -z",
     [](Viewer& v, Arguments& a) { v.work().viewFrom(cubeFaceByName(a.text("the side")).normal); }},
    {"up", "", "", "X Y Z", "up direction of the world",
     [](Viewer& v, Arguments& a) { v.work().navigator.setUp(a.triple("the direction")); }},
    {"field_of_view", "", "", "DEGREES", "field of view along the shorter side",
     [](Viewer& v, Arguments& a) {
         v.work().navigator.setFieldOfView(a.number("the angle", Navigator::kLeastFieldOfView, Navigator::kMostFieldOfView));
     }},
};

}  // namespace

std::span<const Action> viewActions() { return kActions; }

}  // namespace splat::app
