#include "viewer/actions/groups.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <string_view>
#include <vector>

#include <fmt/ranges.h>

#include <splatwright/core/error.h>
#include "viewer/viewer/state_report.h"
#include "viewer/viewer/viewer.h"

namespace splat::app {

namespace {

namespace fs = std::filesystem;

constexpr int kReportPatience = 300;  // iterations of the viewer's loop, each a frame or a short sleep
constexpr const char* kFlightKeys = "WASDQE";

/// A position on the screen in pixels, or with % in the viewport.
glm::vec2 screenPoint(Viewer& v, Arguments& a) {
    glm::vec2 point(0);
    for (int axis = 0; axis < 2; ++axis) {
        std::string word = a.text("the position");
        const bool part = word.ends_with('%');
        if (part) word.pop_back();
        Arguments number("the position", {word});
        const auto value = static_cast<float>(number.number("a coordinate", -1e5, 1e5));
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

void touch(Viewer& v, Arguments& a) {
    const glm::vec2 from = screenPoint(v, a), to = screenPoint(v, a);
    v.pointer().touch(from, to, button(a));
}

void wheel(Viewer& v, Arguments& a) {
    const glm::vec2 at = screenPoint(v, a);
    v.pointer().wheel(at, static_cast<float>(a.number("the turns", -1000, 1000)));
}

/// Modifiers held during the pointer's next movements.
void modifiers(Viewer& v, Arguments& a) {
    std::vector<std::string> names;
    while (a.more()) {
        names.push_back(a.text("a modifier"));
        if (const auto known = {"shift", "ctrl", "alt"}; std::ranges::find(known, names.back()) == known.end())
            throw InputError("modifiers: '{}', expected shift, ctrl or alt", names.back());
    }
    const auto has = [&](const char* name) { return std::ranges::find(names, name) != names.end(); };
    v.pointer().hold(has("shift"), has("ctrl"), has("alt"));
}

void key(Viewer& v, Arguments& a) {
    const std::string chord = a.text("the key");
    if (!v.press(chord)) throw InputError("key '{}' does nothing", chord);
}

void hold(Viewer& v, Arguments& a) {
    const std::string name = a.text("the key");
    if (name.size() != 1 || std::string_view(kFlightKeys).find(name[0]) == std::string_view::npos)
        throw InputError("hold: the key is '{}', expected one of {}", name, kFlightKeys);
    v.hold(name, a.count("frames", 1, 10'000));
}

/// Waits for a state of training; fails as soon as it cannot be reached.
void waitForState(Viewer& v, const std::string& what, const std::function<bool(const LiveState&)>& reached) {
    v.waitUntil({.what = what, .until = [&v, what, reached] {
                     if (reached(training(v).state())) return true;
                     const LiveState now = training(v).live().state();
                     const auto active = {SessionPhase::loading, SessionPhase::running, SessionPhase::evaluating};
                     const bool goesOn = now.pending > 0 || std::ranges::find(active, now.phase) != active.end();
                     if (!reached(now) && !goesOn)
                         throw InputError("{} does not come: training is {} at step {}", what, nameOf(now.phase), now.last.step);
                     return false;
                 }});
}

void waitFrames(Viewer& v, Arguments& a) {
    const uint64_t until = v.frames() + a.count("frames", 0, 10'000);
    v.waitUntil({.what = "frames",
                 .until =
                     [&v, until] {
                         v.stir();
                         return v.frames() >= until;
                     },
                 .needsFrames = true,
                 .forOthers = true});
}

void waitSeconds(Viewer& v, Arguments& a) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(a.number("seconds", 0, 300));
    v.waitUntil({.what = "seconds", .until = [until] { return std::chrono::steady_clock::now() >= until; }, .forOthers = true});
}

void waitFile(Viewer& v, Arguments& a) {
    const fs::path path = a.text("the path");
    v.waitUntil({.what = path.string(), .until = [path] { return fs::exists(path); }, .forOthers = true});
}

void waitStep(Viewer& v, Arguments& a) {
    const uint32_t step = a.count("the step", 0, UINT32_MAX), last = training(v).live().state().settings.steps;
    if (step > last) throw InputError("wait: the step is '{}', expected one up to the last, {}", step, last);
    waitForState(v, fmt::format("step {}", step), [step](const LiveState& s) { return s.last.step >= step; });
}

void waitPhase(Viewer& v, Arguments& a) {
    const std::string phase = a.text("the phase");
    std::vector<std::string_view> known;
    for (int i = 0; !nameOf(static_cast<SessionPhase>(i)).empty(); ++i) known.push_back(nameOf(static_cast<SessionPhase>(i)));
    if (std::ranges::find(known, phase) == known.end())
        throw InputError("wait: the phase is '{}', expected one of {}", phase, fmt::join(known, ", "));
    waitForState(v, "phase " + phase, [phase](const LiveState& s) { return nameOf(s.phase) == phase; });
}

void waitEvaluation(Viewer& v, Arguments&) {
    const size_t before = training(v).state().evaluations.size();
    waitForState(v, "an evaluation", [before](const LiveState& s) { return s.evaluations.size() > before; });
}

/// Waits for a state of the preparation; fails as soon as it cannot be reached.
void waitForPreparation(Viewer& v, const std::string& what, const std::function<bool(const Preparing&)>& reached) {
    v.waitUntil({.what = what, .until = [&v, what, reached] {
                     const Preparing* preparing = v.work().preparing.get();
                     if (preparing && reached(*preparing)) return true;
                     if (!v.work().isPreparing()) throw InputError("{} does not come: nothing is being prepared", what);
                     return false;
                 }});
}

void waitCameras(Viewer& v, Arguments& a) {
    const uint32_t count = a.count("the cameras", 1);
    waitForPreparation(v, fmt::format("camera {}", count), [count](const Preparing& p) { return p.scene().cameras.size() >= count; });
}

void waitScores(Viewer& v, Arguments&) {
    if (v.work().compared().with == CompareWith::nothing) throw InputError("there are no scores: nothing is compared");
    const auto known = [&v] { return !v.viewport().stale() && !v.viewport().waiting() && !v.viewport().scoring(); };
    v.waitUntil({.what = "the scores", .until = known, .needsFrames = true});
}

bool pictureIsComing(Viewer& v) {
    return v.viewport().stale() || v.viewport().waiting() || (v.work().training && training(v).awaitsModel());
}

struct Waited {
    const char* name;
    void (*run)(Viewer&, Arguments&);
};
constexpr Waited kWaited[] = {
    {"frames", waitFrames},
    {"seconds", waitSeconds},
    {"file", waitFile},
    {"picture",
     [](Viewer& v, Arguments&) {
         v.waitUntil({.what = "the picture", .until = [&v] { return !pictureIsComing(v); }, .needsFrames = true});
     }},
    {"scores", waitScores},
    {"step", waitStep},
    {"phase", waitPhase},
    {"evaluation", waitEvaluation},
    {"cameras", waitCameras},
    {"prepared",
     [](Viewer& v, Arguments&) { waitForPreparation(v, "the end of the preparation", [](const Preparing& p) { return p.ended(); }); }},
};

void wait(Viewer& v, Arguments& a) {
    const std::string what = a.text("what to wait for");
    const auto* const found = std::ranges::find_if(kWaited, [&](const Waited& w) { return w.name == what; });
    if (found == std::end(kWaited))
        throw InputError("wait for '{}', expected frames, seconds, file, picture, scores, step, phase, evaluation, cameras or prepared",
                         what);
    found->run(v, a);
}

void resize(Viewer& v, Arguments& a) {
    const uint32_t width = a.count("the width", 1, 16384);
    v.resize(glm::uvec2(width, a.count("the height", 1, 16384)));
}

void record(Viewer& v, Arguments& a) {
    const fs::path folder = a.text("the folder");
    const uint32_t frames = a.count("the frames", 1);
    fs::create_directories(folder);
    v.record(frames, folder);
    v.waitUntil({.what = "the recording", .until = [&v] { return !v.recording(); }, .needsFrames = true});
}

/// Writes the report once earlier lines are done: frames, counts and requests to training. During training there is always a next frame, and in a
/// minimised window there is none; then the report is written after a while.
void report(Viewer& v, Arguments& a) {
    const fs::path path = a.text("the path");
    const auto patience = std::make_shared<int>(kReportPatience);
    v.waitUntil({.what = "the report", .until = [&v, path, patience] {
                     const bool asked = v.work().training && training(v).live().state().pending > 0;
                     const bool pictures = !v.asleep() && (pictureIsComing(v) || v.viewport().scoring());
                     const bool measures = v.work().fitRate && v.work().fitRate->awaits(training(v));
                     if (asked || measures || v.work().history.counting() || (pictures && --*patience > 0)) return false;
                     writeStateReport(v, path);
                     return true;
                 }});
}

constexpr Action kActions[] = {
    {"move", "", "", "X Y", "move the pointer, in pixels or, with %, of the viewport",
     [](Viewer& v, Arguments& a) { v.pointer().move(screenPoint(v, a)); }},
    {"click", "", "", "X Y [BUTTON]", "press and release", click},
    {"double_click", "", "", "X Y", "double click", doubleClick},
    {"drag", "", "", "X0 Y0 X1 Y1 [BUTTON]", "press, move, release", drag},
    {"touch", "", "", "X0 Y0 X1 Y1 [BUTTON]", "drag as a finger does: nothing moves there before it presses", touch},
    {"wheel", "", "", "X Y TURNS", "turn the wheel", wheel},
    {"modifiers", "", "", "[shift] [ctrl] [alt]", "hold modifiers with the pointer from now on", modifiers},
    {"key", "", "", "CHORD", "press a key", key},
    {"hold", "", "", "KEY FRAMES", "hold a key", hold},
    {"wait", "", "", "frames N|seconds S|file PATH|picture|scores|step N|phase NAME|evaluation|cameras N|prepared",
     "wait for this; an error if it cannot come", wait},
    {"resize", "", "", "W H", "set the screen's size, with --headless only", resize},
    {"record", "", "", "FOLDER FRAMES", "save the next frames of the whole screen as PNG", record},
    {"questions", "", "", "0|1", "ask before something is lost and offer preparations, as without a script",
     [](Viewer& v, Arguments& a) { v.work().question.asks = a.count("1 or 0", 0, 1) != 0; }},
    {"report", "", "", "PATH", "write the viewer's state as JSON, once pending work is done", report},
};

}  // namespace

std::span<const Action> scriptActions() { return kActions; }

}  // namespace splat::app
