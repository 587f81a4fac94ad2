#include "random_user.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <imgui.h>

#include <splatwright/core/names.h>
#include "last_inputs.h"
#include "viewer/actions/actions.h"

namespace splat::test {

namespace {

/// No slash and no parent folder is among them, so that no file is written elsewhere.
const std::vector<std::string> kTexts = {
    "a",     "b.ply",  "c.splatproject", "d.png", "e.spz",     "0",   "1",    "-1",         "3.5",
    "1e9",   "-1e38",  "1e39",           "1e-30", "nan",       "inf", "-inf", "fog",        "random",
    "äöü €", "##name", "%s%n%d",         "###",   "{\"a\": 1", "\"'", " ",    "2147483648", std::string(300, 'w')};

struct Weighted {
    double weight;
    void (RandomUser::*gesture)();
};

}  // namespace

RandomUser::RandomUser(uint64_t seed, Hand& hand, Widgets& widgets, const Inputs& inputs)
    : rng_(seed), hand_(hand), widgets_(widgets), inputs_(inputs) {
    for (const app::Action& action : app::actionTable())
        if (*action.chord) chords_.emplace_back(action.chord);
    for (const char* chord :
         {"Tab", "Escape", "Enter", "Left", "Right", "Up", "Down", "Home", "End", "PageUp", "PageDown", "Space", "Backspace"})
        chords_.emplace_back(chord);
}

void RandomUser::enter(app::Viewer& viewer, Invariants& invariants) {
    viewer_ = &viewer;
    invariants_ = &invariants;
    hand_.letGo();
    hand_.drop(oneOf(inputs_.splats));
    if (chance(0.5)) hand_.drop(oneOf(inputs_.splats));
    if (chance(0.5)) hand_.drop(inputs_.dataset);
}

/// A dialog that leaves the scratch folder is closed, so that nothing is written elsewhere.
void RandomUser::look() {
    app::FileDialog& dialog = viewer_->work().dialog;
    const std::filesystem::path below = dialog.folder().lexically_relative(std::filesystem::current_path());
    if (dialog.isOpen() && !below.empty() && *below.begin() == "..") dialog.press("Escape");
    shown_ = &widgets_.endFrame();
    invariants_->update();
}

void RandomUser::note(const std::string& what) const { last_inputs::note(viewer_->frames(), what); }

void RandomUser::act() {
    static constexpr Weighted kGestures[] = {{50, &RandomUser::useWidget},   {18, &RandomUser::useView},    {10, &RandomUser::pressKey},
                                             {2, &RandomUser::fly},          {4, &RandomUser::undoAndRedo}, {3, &RandomUser::drop},
                                             {2, &RandomUser::changeWindow}, {3, &RandomUser::escape},      {4, &RandomUser::rest},
                                             {4, &RandomUser::check}};
    double all = 0;
    for (const Weighted& w : kGestures) all += w.weight;
    double left = rng_.uniform(0, all);
    const auto* gesture = kGestures;
    while (gesture + 1 != std::end(kGestures) && (left -= gesture->weight) > 0) ++gesture;
    (this->*gesture->gesture)();
    hand_.idle(1);
}

/// Only while nothing is being dragged or typed, and what is pressed has been done.
void RandomUser::check() {
    if (ImGui::IsAnyItemActive() || viewer_->keyOwner() != app::KeyOwner::view) return;
    constexpr void (Invariants::*kChecks[])() = {&Invariants::checkUndo, &Invariants::checkUndo, &Invariants::checkCounts,
                                                 &Invariants::checkProject, &Invariants::checkRecovery};
    const size_t check = rng_.below(std::size(kChecks));
    note(fmt::format("check {}", check));
    (invariants_->*kChecks[check])();
}

int RandomUser::button() { return chance(0.75) ? 0 : chance(0.6) ? 1 : 2; }

glm::vec2 RandomUser::somewhere() {
    const glm::vec2 size = hand_.size();
    return {static_cast<float>(rng_.uniform(-20, size.x + 20)), static_cast<float>(rng_.uniform(-20, size.y + 20))};
}

glm::vec2 RandomUser::inView() {
    const app::Viewport& view = viewer_->viewport();
    return glm::vec2(view.low()) + glm::vec2(rng_.uniform(), rng_.uniform()) * glm::vec2(view.size());
}

std::string RandomUser::text() { return oneOf(kTexts); }

/// One of a few, that has been aimed at least.
const Widget* RandomUser::aim() {
    const Widget* best = nullptr;
    for (int i = 0; i < 6 && !shown_->empty(); ++i) {
        const Widget& widget = oneOf(*shown_);
        if (!best || widgets_.aims(widget.name) < widgets_.aims(best->name)) best = &widget;
    }
    if (best) ++widgets_.aims(best->name);
    return best;
}

void RandomUser::useWidget() {
    const Widget* widget = aim();
    if (!widget) {
        note("show panels");
        return hand_.chord("Tab");
    }
    const glm::vec2 at = widget->at({rng_.uniform(0.1, 0.9), rng_.uniform(0.1, 0.9)});
    const double kind = rng_.uniform();
    note(fmt::format("widget {} at {:.0f} {:.0f}, {:.2f}", widget->name, at.x, at.y, kind));
    if (kind < 0.1) return hand_.drag(at, somewhere(), button(), 1 + static_cast<int>(rng_.below(8)));
    if (kind < 0.2) return hand_.drag(at, widget->at({rng_.uniform(-0.5, 1.5), 0.5}), 0, 1 + static_cast<int>(rng_.below(6)));
    if (kind < 0.25) return hand_.turn(at, static_cast<float>(rng_.uniform(-5, 5)));
    if (kind < 0.3) return hand_.move(at);
    if (kind < 0.35) hand_.modifiers(chance(0.5), chance(0.5), chance(0.3));
    hand_.click(at, button());
    if (kind < 0.35) hand_.modifiers(false, false, false);
    if (kind < 0.42) hand_.click(at, 0);
    if (widget->takesText && chance(0.6)) fill(*widget);
}

/// Types into a field, or into a slider, which Ctrl and a click make one.
void RandomUser::fill(const Widget& widget) {
    hand_.modifiers(false, true, false);
    hand_.click(widget.at({0.3F, 0.5F}), 0);
    hand_.modifiers(false, false, false);
    if (chance(0.6)) hand_.chord("Ctrl+A");
    const std::string typed = text();
    note("type " + escapedName(typed));
    hand_.type(typed);
    hand_.chord(chance(0.7) ? "Enter" : chance(0.5) ? "Tab" : "Escape");
}

void RandomUser::useView() {
    const glm::vec2 from = inView(), to = inView();
    const int pressed = button();
    const double kind = rng_.uniform();
    note(fmt::format("view from {:.0f} {:.0f} to {:.0f} {:.0f}, button {}, {:.2f}", from.x, from.y, to.x, to.y, pressed, kind));
    if (kind < 0.3) hand_.modifiers(chance(0.5), chance(0.3), chance(0.2));
    if (kind < 0.15) {
        hand_.turn(from, static_cast<float>(rng_.uniform(-3, 3)));
    } else if (kind < 0.7) {
        hand_.drag(from, to, pressed, 1 + static_cast<int>(rng_.below(8)));
    } else {
        hand_.click(from, pressed);
        if (kind > 0.9) hand_.click(from, pressed);
    }
    if (kind < 0.3) hand_.modifiers(false, false, false);
}

void RandomUser::pressKey() {
    const std::string& chord = oneOf(chords_);
    note("key " + chord);
    hand_.chord(chord);
}

void RandomUser::fly() {
    const std::string key(1, "WASDQE"[rng_.below(6)]);
    note("hold " + key);
    hand_.hold(key, 1 + static_cast<int>(rng_.below(5)));
}

/// A selection, an edit of it, and some of its way back.
void RandomUser::undoAndRedo() {
    static const std::vector<std::string> kEdits = {"Ctrl+A", "Ctrl+I",       "H",      "Shift+H",     "Delete", "Ctrl+K",
                                                    "Ctrl+D", "Ctrl+Shift+D", "Ctrl+Z", "Ctrl+Shift+Z"};
    for (uint64_t i = rng_.below(6) + 1; i-- > 0;) {
        const std::string& chord = chance(0.4) ? kEdits[8 + rng_.below(2)] : oneOf(kEdits);
        note("key " + chord);
        hand_.chord(chord);
    }
}

void RandomUser::drop() {
    const bool isFull = viewer_->work().world.ids().size() > 5;
    const std::filesystem::path& path = isFull || chance(0.3) ? oneOf(inputs_.broken)
                                        : chance(0.25)        ? oneOf(inputs_.others)
                                                              : oneOf(inputs_.splats);
    note("drop " + path.string());
    hand_.drop(path);
}

void RandomUser::changeWindow() {
    const double kind = rng_.uniform();
    if (kind < 0.15) {
        note("minimise");
        return hand_.minimise(1 + static_cast<int>(rng_.below(20)));
    }
    if (kind < 0.25) {
        note("ask to close");
        return hand_.askToClose();
    }
    const glm::uvec2 size(rng_.uniform(chance(0.1) ? 1 : 400, 1100), rng_.uniform(chance(0.1) ? 1 : 300, 800));
    const float scale = chance(0.8) ? 1.0F : static_cast<float>(rng_.uniform(0.5, 2.5));
    note(fmt::format("window of {} x {} at {:.2f}", size.x, size.y, scale));
    hand_.resize(size, scale);
}

void RandomUser::escape() {
    note("escape");
    hand_.chord("Escape");
}

void RandomUser::rest() {
    note("rest");
    hand_.idle(1 + static_cast<int>(rng_.below(10)));
}

}  // namespace splat::test
