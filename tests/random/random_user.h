#pragma once

#include <string>
#include <vector>

#include <splatwright/core/rng.h>
#include "hand.h"
#include "inputs.h"
#include "invariants.h"
#include "widgets.h"

namespace splat::test {

/// Decides what the hand does: mostly to the widgets that it has aimed at least, and to the view; keys, files, sizes of the window.
class RandomUser {
public:
    RandomUser(uint64_t seed, Hand& hand, Widgets& widgets, const Inputs& inputs);

    /// Goes on in this viewer, in which nothing is open.
    void enter(app::Viewer& viewer, Invariants& invariants);
    /// Every frame.
    void look();
    /// One gesture.
    void act();

private:
    using Gesture = void (RandomUser::*)();

    bool chance(double probability) { return rng_.uniform() < probability; }
    template <class T>
    const T& oneOf(const std::vector<T>& list) {
        return list.at(rng_.below(list.size()));
    }
    int button();
    glm::vec2 somewhere();
    glm::vec2 inView();
    std::string text();
    const Widget* aim();
    void note(const std::string& what) const;
    void check();

    void useWidget();
    void fill(const Widget& widget);
    void useView();
    void pressKey();
    void fly();
    void undoAndRedo();
    void drop();
    void changeWindow();
    void escape();
    void rest();

    Rng rng_;
    Hand& hand_;
    Widgets& widgets_;
    const Inputs& inputs_;
    app::Viewer* viewer_ = nullptr;
    Invariants* invariants_ = nullptr;
    const std::vector<Widget>* shown_ = nullptr;
    std::vector<std::string> chords_;
};

}  // namespace splat::test
