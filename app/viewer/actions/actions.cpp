#include "viewer/actions/actions.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/ranges.h>

#include <splatwright/core/error.h>
#include <splatwright/core/near_names.h>
#include "viewer/actions/groups.h"
#include "viewer/viewer/viewer.h"

namespace splat::app {

namespace {

/// Words of earlier scripts, and what they are now.
constexpr std::pair<std::string_view, std::string_view> kOldNames[] = {{"picture", "render_mode"},     {"next_picture", "next_render_mode"},
                                                                       {"photograph", "ground_truth"}, {"reload", "reload_shaders"},
                                                                       {"panels", "toggle_ui"},        {"turn_model", "rotate_model"}};

std::string_view nameNow(std::string_view name) {
    const auto* const old = std::ranges::find(kOldNames, name, &std::pair<std::string_view, std::string_view>::first);
    return old == std::end(kOldNames) ? name : old->second;
}

}  // namespace

Training& training(Viewer& v) {
    if (!v.work().training) throw InputError("no dataset is open");
    return *v.work().training;
}

Training& sceneTraining(Viewer& v, std::string_view what) {
    Training& found = training(v);
    if (found.isPicture()) throw InputError("{} is a picture, which has no {}", found.data().filename().string(), what);
    return found;
}

World::Id currentModel(Viewer& v) {
    if (!v.work().current) throw InputError("no model is selected");
    return *v.work().current;
}

bool hasModel(const Viewer& v) { return v.work().current && v.work().world.has(*v.work().current); }
bool hasDataset(const Viewer& v) { return v.work().training != nullptr; }
bool hasScene(const Viewer& v) { return hasDataset(v) && !v.work().training->isPicture(); }
bool isSolid(const Viewer& v) { return !v.work().isFlat(); }

double mediansOf(Arguments& a) {
    constexpr double kUsual = 4;
    return a.more() ? a.number("how many medians", 1, 1e6) : kUsual;
}

void waitForTraining(Viewer& v) {
    if (!v.work().training) return;
    v.waitUntil({.what = "training", .until = [&v] {
                     const LiveState now = training(v).live().state();
                     return now.pending == 0 && now.problems == training(v).state().problems;
                 }});
}

std::span<const Action> actionTable() {
    static const std::vector<Action> table = [] {
        std::vector<Action> rows;
        for (const auto group :
             {fileActions(), viewActions(), pathActions(), compareActions(), editActions(), trainActions(), scriptActions()})
            rows.insert(rows.end(), group.begin(), group.end());
        return rows;
    }();
    return table;
}

const Action& actionByName(std::string_view name) {
    std::vector<std::string_view> known;
    for (const Action& action : actionTable()) {
        if (action.name == nameNow(name)) return action;
        known.emplace_back(action.name);
    }
    throw InputError("unknown action '{}', near it: {}", name, fmt::join(nearestNames(std::move(known), name), ", "));
}

const Action* actionOfChord(std::string_view chord) {
    if (chord.empty()) return nullptr;
    const auto found = std::ranges::find_if(actionTable(), [&](const Action& a) { return a.chord == chord; });
    return found == actionTable().end() ? nullptr : &*found;
}

std::string_view actionNameOf(std::string_view chord) {
    const Action* action = actionOfChord(chord);
    return action ? action->name : std::string_view();
}

bool canRun(const Viewer& viewer, const Action& action) { return !action.enabled || action.enabled(viewer); }

void runAction(Viewer& viewer, std::string_view name) {
    Arguments none(name, {});
    actionByName(name).run(viewer, none);
}

}  // namespace splat::app
