#include "viewer/actions/groups.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <vector>

#include "core/error.h"
#include "viewer/state_report.h"
#include "viewer/viewer.h"

namespace splat::app {

namespace {

namespace fs = std::filesystem;

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

void record(Viewer& v, Arguments& a) {
    const fs::path folder = a.text("the folder");
    fs::create_directories(folder);
    v.record(std::max(a.count("the frames"), 1u), folder);
    v.waitUntil("the recording", [&v] { return !v.recording(); });
}

void report(Viewer& v, Arguments& a) { writeStateReport(v, a.text("the path")); }

constexpr Action kActions[] = {
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
    {"record", "", "", "FOLDER FRAMES", "save the next frames as the screen shows them", record},
    {"report", "", "", "PATH", "write what there is to know as JSON", report},
};

}  // namespace

std::span<const Action> scriptActions() { return kActions; }

}  // namespace splat::app
