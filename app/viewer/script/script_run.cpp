#include "viewer/script/script_run.h"

#include <filesystem>
#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/gpu/check.h>
#include "viewer/actions/actions.h"
#include "viewer/viewer/viewer.h"
#include "viewer/window/clock.h"

namespace splat::app {

namespace {

constexpr double kPatience = 300;      // seconds that a line may take
constexpr double kAsleepPatience = 5;  // where that needs frames, and the window is minimised

}  // namespace

ScriptRun::ScriptRun(std::string name, std::vector<ScriptLine> lines) : name_(std::move(name)), lines_(std::move(lines)) {}

void ScriptRun::fail(const std::string& why) const { throw InputError("{}:{}: {}", name_, line().number, why); }

bool ScriptRun::advance(Viewer& viewer) {
    while (!done() && !viewer.closing()) {
        if (viewer.line().begun && !ended(viewer)) return true;
        if (std::exchange(viewer.line().begun, false)) {
            ++next_;
        } else if (viewer.settled()) {  // files of the command line are read
            begin(viewer);
        } else {
            return true;
        }
    }
    return !done();
}

void ScriptRun::begin(Viewer& viewer) {
    if (next_ == 0 && viewer.work().problems() > 0) throw InputError("{}", viewer.work().notice().text);
    viewer.line().begun = true;
    since_ = now();
    problems_ = viewer.work().problems();
    const Action* action = nullptr;
    try {
        action = &actionByName(line().action);
    } catch (const InputError& problem) {  // an error of the script, even after `try`
        fail(problem.what());
    }
    attempt(viewer, [&] {
        Arguments arguments(line().action, line().arguments);
        action->run(viewer, arguments);
        arguments.finish();
    });
    viewer.settle();
}

/// Whether the current line is done.
bool ScriptRun::ended(Viewer& viewer) {
    checkProblems(viewer);
    bool reached = true;
    Wait& wait = viewer.line().wait;
    attempt(viewer, [&] { reached = !wait.until || wait.until(); });
    if (reached && viewer.settled()) {
        checkProblems(viewer);
        wait = {};
        return true;
    }
    const std::string what = reached ? "what it began" : wait.what;
    const double waited = now() - since_;
    if ((reached || wait.needsFrames) && viewer.asleep() && waited > kAsleepPatience)
        fail(what + " does not come while the window is minimised");
    if (waited > kPatience) fail(fmt::format("{} did not come within {:.0f} seconds", what, kPatience));
    return false;
}

void ScriptRun::checkProblems(Viewer& viewer) const {
    if (!line().tries && !viewer.line().wait.forOthers && viewer.work().problems() != problems_) fail(viewer.work().notice().text);
}

/// A failure after `try` is reported, and the line ends.
void ScriptRun::attempt(Viewer& viewer, const std::function<void()>& something) {
    std::string problem;
    try {
        return something();
    } catch (const gpu::DeviceLost&) {
        throw;
    } catch (const Error& e) {
        problem = e.what();
    } catch (const std::filesystem::filesystem_error& e) {
        problem = e.what();
    }
    if (!line().tries) fail(problem);
    viewer.line().wait = {};
    viewer.work().complain(problem);
}

}  // namespace splat::app
