#include "hand.h"

#include <chrono>
#include <string_view>
#include <thread>
#include <utility>

#include <imgui.h>

#include "viewer/remote/key_names.h"
#include "widgets.h"

namespace splat::test {

namespace {

constexpr int kButtons = 3;

ImGuiKey keyOf(std::string_view name) {
    const std::string_view imgui = app::imguiNameOf(name);
    int key = ImGuiKey_NamedKey_BEGIN;
    while (key < ImGuiKey_NamedKey_END && ImGui::GetKeyName(static_cast<ImGuiKey>(key)) != imgui) ++key;
    return key < ImGuiKey_NamedKey_END ? static_cast<ImGuiKey>(key) : ImGuiKey_None;
}

ImGuiIO& io() { return ImGui::GetIO(); }

}  // namespace

void Hand::move(glm::vec2 to) {
    add([to] { io().AddMousePosEvent(to.x, to.y); });
    idle(1);  // Dear ImGui finds what lies under it one frame later
}

void Hand::press(int button) {
    add([button] { io().AddMouseButtonEvent(button, true); });
}

void Hand::release(int button) {
    add([button] { io().AddMouseButtonEvent(button, false); });
}

void Hand::click(glm::vec2 at, int button) {
    move(at);
    press(button);
    release(button);
}

void Hand::drag(glm::vec2 from, glm::vec2 to, int button, int steps) {
    move(from);
    press(button);
    for (int i = 1; i <= steps; ++i) {
        const glm::vec2 at = glm::mix(from, to, static_cast<float>(i) / static_cast<float>(steps));
        add([at] { io().AddMousePosEvent(at.x, at.y); });
    }
    release(button);
}

void Hand::turn(glm::vec2 at, float turns) {
    move(at);
    add([turns] { io().AddMouseWheelEvent(0, turns); });
}

void Hand::chord(const std::string& chord) {
    const size_t plus = chord.find_last_of('+', chord.size() - 2);  // the key may be a plus
    const std::string key = plus == std::string::npos ? chord : chord.substr(plus + 1);
    const auto has = [&](const char* name) { return chord.find(std::string(name) + "+") != std::string::npos; };
    modifiers(has("Shift"), has("Ctrl"), has("Alt"));
    add([this, key, chord] {
        io().AddKeyEvent(keyOf(key), true);
        held_.insert(key);
        keys_.push_back({key, chord});
    });
    add([this, key] {
        io().AddKeyEvent(keyOf(key), false);
        held_.erase(key);
    });
    modifiers(false, false, false);
}

void Hand::hold(const std::string& key, int frames) {
    add([this, key] {
        held_.insert(key);
        keys_.push_back({key, key});
    });
    idle(frames);
    add([this, key] { held_.erase(key); });
}

void Hand::modifiers(bool shift, bool control, bool alt) {
    add([=] {
        io().AddKeyEvent(ImGuiMod_Shift, shift);
        io().AddKeyEvent(ImGuiMod_Ctrl, control);
        io().AddKeyEvent(ImGuiMod_Alt, alt);
    });
}

void Hand::type(const std::string& text) {
    add([text] { io().AddInputCharactersUTF8(text.c_str()); });
}

void Hand::drop(const std::filesystem::path& path) {
    add([this, path] { dropped_.push_back(path); });
}

void Hand::resize(glm::uvec2 size, float scale) {
    add([this, size, scale] {
        size_ = size;
        scale_ = scale;
    });
}

void Hand::minimise(int frames) {
    add([this] { minimised_ = true; });
    idle(frames);
    add([this] { minimised_ = false; });
}

void Hand::askToClose() {
    add([this] { closes_ = true; });
}

void Hand::idle(int frames) {
    for (int i = 0; i < frames; ++i) add([] {});
}

void Hand::letGo() {
    steps_.clear();
    minimised_ = false;
    held_.clear();
    modifiers(false, false, false);
    for (int button = 0; button < kButtons; ++button) release(button);
    idle(2);
}

void Hand::poll() {
    activity_ = true;
    everyFrame();
    if (steps_.empty()) think();
    if (steps_.empty()) return;
    const auto step = std::move(steps_.front());
    steps_.pop_front();
    step();
}

void Hand::wait(double) {
    if (minimised_) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    poll();
}

void Hand::attach() { Widgets::attach(); }

}  // namespace splat::test
