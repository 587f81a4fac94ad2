#include "viewer/window/scripted_pointer.h"

namespace splat::app {

namespace {

constexpr int kDragSteps = 8;  // frames of a drag, so that panels distinguish it from a click

}  // namespace

Pointer ScriptedPointer::at(glm::vec2 position) const {
    return {.position = position, .buttons = {}, .wheel = 0, .shift = shift_, .control = control_, .alt = alt_};
}

void ScriptedPointer::hold(bool shift, bool control, bool alt) {
    shift_ = shift;
    control_ = control;
    alt_ = alt;
}

void ScriptedPointer::move(glm::vec2 to) {
    add(at(to));
    add(at(to));  // Dear ImGui finds what lies under it one frame later
}

void ScriptedPointer::click(glm::vec2 where, Button button) {
    move(where);
    press(where, where, 2, button);
}

void ScriptedPointer::press(glm::vec2 from, glm::vec2 to, int steps, Button button) {
    for (int i = 0; i < steps; ++i) {
        Pointer pressed = at(glm::mix(from, to, static_cast<float>(i) / kDragSteps));
        pressed.buttons[button] = true;
        add(pressed);
    }
    add(at(to));
}

void ScriptedPointer::drag(glm::vec2 from, glm::vec2 to, Button button) {
    move(from);
    press(from, to, kDragSteps + 1, button);
}

void ScriptedPointer::touch(glm::vec2 from, glm::vec2 to, Button button) { press(from, to, kDragSteps, button); }

void ScriptedPointer::wheel(glm::vec2 where, float turns) {
    move(where);
    Pointer turned = at(where);
    turned.wheel = turns;
    add(turned);
    add(at(where));
}

std::optional<Pointer> ScriptedPointer::next() {
    if (!coming_.empty()) {
        now_ = coming_.front();
        coming_.erase(coming_.begin());
    }
    return now_;
}

}  // namespace splat::app
