#include <algorithm>
#include <string>
#include <vector>

#include <fmt/ranges.h>

#include <splatwright/core/error.h>
#include "viewer/actions/groups.h"
#include "viewer/viewer/viewer.h"

namespace splat::app {

namespace {

Comparing& comparing(Viewer& v) { return v.work().comparing; }

World::Id modelByName(const Workspace& work, const std::string& name) {
    const auto ids = work.world.ids();
    const auto found = std::ranges::find_if(ids, [&](World::Id id) { return work.world[id].name == name; });
    if (found != ids.end()) return *found;
    std::vector<std::string> known;
    for (const World::Id id : ids) known.push_back(work.world[id].name);
    throw InputError("compare: no model is called '{}', expected one of: {}", name, fmt::join(known, ", "));
}

/// Scripts name what to compare with.
void compareWith(Viewer& v, Arguments& a) {
    Compared& second = comparing(v).second;
    const std::string with = a.text("what to compare with");
    if (with == nameOf(CompareWith::model)) {
        second.model = modelByName(v.work(), a.text("the model"));
        second.with = CompareWith::model;
    } else if (with == nameOf(CompareWith::renderMode)) {
        second.mode = renderModeByName(a.text("the render mode")).name;
        second.with = CompareWith::renderMode;
    } else if (with == nameOf(CompareWith::groundTruth)) {
        training(v);
        second.with = CompareWith::groundTruth;
    } else if (with == nameOf(CompareWith::nothing)) {
        second.with = CompareWith::nothing;
    } else {
        throw InputError("compare with '{}', expected model NAME, mode NAME, ground_truth or nothing", with);
    }
}

void compare(Viewer& v, Arguments& a) {
    if (a.more()) return compareWith(v, a);
    if (comparing(v).isOn()) {
        comparing(v).second.with = CompareWith::nothing;
        return;
    }
    v.work().compareWithSomething();
    v.showPanel("Compare");
}

void nextLayout(Viewer& v, Arguments&) {
    Comparing& c = comparing(v);
    c.layout = static_cast<CompareLayout>((static_cast<int>(c.layout) + 1) % kCompareLayouts);
    v.work().say(std::string(labelOf(c.layout)));
}

bool isOn(const Viewer& v) { return v.work().comparing.isOn(); }

constexpr Action kActions[] = {
    {"compare", "Y", "Compare", "[model NAME|mode NAME|ground_truth|nothing]",
     "compare with the ground truth, another model or another render mode", compare, isOn},
    {"next_compare_layout", "Shift+Y", "Compare", "",
     "next way to show two pictures: divider, blink, side by side, difference, FLIP, with difference", nextLayout, nullptr, isOn},
    {"exchange_compared", "U", "Compare", "", "exchange the compared pictures; blink by hand",
     [](Viewer& v, Arguments&) { comparing(v).exchanged = !comparing(v).exchanged; },
     [](const Viewer& v) { return v.work().comparing.exchanged; }, isOn},
    {"compare_layout", "", "", "divider|blink|side_by_side|difference|flip|three", "how two pictures are shown",
     [](Viewer& v, Arguments& a) { comparing(v).layout = compareLayoutByName(a.text("the layout")); }},
    {"divider", "", "", "PART", "part of the width, 0 to 1, left of the line between compared pictures",
     [](Viewer& v, Arguments& a) { comparing(v).divider = a.number("the part", 0, 1); }},
    {"blink_seconds", "", "", "SECONDS", "time that each compared picture shows; 0: until the key exchanges them",
     [](Viewer& v, Arguments& a) { comparing(v).blinkSeconds = a.number("the seconds", 0, 60); }},
    {"difference_end", "", "", "PART", "difference at the end of the colour map, 0.01 to 1",
     [](Viewer& v, Arguments& a) { comparing(v).white = a.number("the part", 0.01, 1); }},
};

}  // namespace

std::span<const Action> compareActions() { return kActions; }

}  // namespace splat::app
