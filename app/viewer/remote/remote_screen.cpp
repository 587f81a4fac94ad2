#include "viewer/remote/remote_screen.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <chrono>
#include <iterator>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <nlohmann/json.hpp>

#include <splatwright/core/parse_json.h>
#include "viewer/remote/key_names.h"
#include "viewer/window/clock.h"
#include "viewer/window/queued_input.h"

namespace splat::app {

namespace {

using Json = nlohmann::json;

constexpr double kFrameSeconds = 1.0 / 60;
constexpr double kPatience = 0.1;            // seconds that a frame waits for pages that are behind
constexpr glm::vec2 kLeastPoints{640, 400};  // as of a window: panels stay legible, and a small page shows them smaller

/// CSS's names, by ImGuiMouseCursor.
constexpr std::array<const char*, ImGuiMouseCursor_COUNT> kCursors = {
    "default", "text", "move", "ns-resize", "ew-resize", "nesw-resize", "nwse-resize", "pointer", "wait", "progress", "not-allowed"};

struct Modifier {
    std::string_view key;
    ImGuiKey imgui;
};
/// In the order of chords.
constexpr std::array kModifiers{Modifier{"Ctrl", ImGuiMod_Ctrl}, Modifier{"Shift", ImGuiMod_Shift}, Modifier{"Alt", ImGuiMod_Alt}};

bool isModifier(std::string_view key) { return std::ranges::find(kModifiers, key, &Modifier::key) != kModifiers.end(); }

ImGuiKey keyOf(std::string_view name) {
    const std::string_view imgui = imguiNameOf(name);
    int key = ImGuiKey_NamedKey_BEGIN;
    while (key < ImGuiKey_NamedKey_END && ImGui::GetKeyName(static_cast<ImGuiKey>(key)) != imgui) ++key;
    return key < ImGuiKey_NamedKey_END ? static_cast<ImGuiKey>(key) : ImGuiKey_None;
}

void sleepUntil(double time) {
    if (const double left = time - now(); left > 0) std::this_thread::sleep_for(std::chrono::duration<double>(left));
}

}  // namespace

RemoteScreen::RemoteScreen(Audience& audience, glm::uvec2 size, bool follows)
    : audience_(audience), size_(glm::min(size, kMostSide)), follows_(follows) {}

/// Called before each of several frames, so it keeps to their rate, and to that of the connections.
void RemoteScreen::poll() {
    sleepUntil(nextFrame_);
    audience_.waitForRoom(kPatience);
    nextFrame_ = now() + kFrameSeconds;
    takeInput();
}

void RemoteScreen::wait(double seconds) {
    if (waiting_.empty()) audience_.waitForInput(seconds);
    takeInput();
}

void RemoteScreen::takeInput() {
    if (waiting_.empty()) std::ranges::move(audience_.takeInput(), std::back_inserter(waiting_));
    // Dear ImGui spreads clicks and turns of the wheel over several frames.
    activity_ |= !waiting_.empty() || !ImGui::GetCurrentContext()->InputEventsQueue.empty();
    while (!waiting_.empty() && !needsFrame(waiting_.front())) {
        const ClientMessage message = std::move(waiting_.front());
        waiting_.pop_front();
        std::visit([this](const auto& input) { take(input); }, message);
    }
}

/// Widgets miss a key that goes down and up within one frame, but for letters, which come as text. Enter and its like come after what was typed before, and
/// a button is released after the last move of its drag, which Dear ImGui keeps for the frame after the press.
bool RemoteScreen::needsFrame(const ClientMessage& message) const {
    if (const auto* button = std::get_if<ButtonChanged>(&message)) return !button->down && isQueued(ImGuiInputEventType_MousePos);
    const auto* changed = std::get_if<KeyChanged>(&message);
    if (!changed) return false;
    // Dear ImGui takes no text while Ctrl is held.
    if (isModifier(changed->key)) return changed->down ? hasText_ && changed->key != "Shift" : !pressed_.empty();
    return changed->down ? !types(changed->key) && (hasText_ || !pressed_.empty()) : pressed_.contains(changed->key);
}

/// Whether a key that goes down now comes as text, too.
bool RemoteScreen::types(const std::string& key) const { return key.size() == 1 && !down_.contains("Ctrl") && !down_.contains("Alt"); }

void RemoteScreen::take(const PointerMoved& moved) { ImGui::GetIO().AddMousePosEvent(moved.position.x, moved.position.y); }

void RemoteScreen::take(const ButtonChanged& changed) {
    changed.down ? void(buttons_.insert(changed.button)) : void(buttons_.erase(changed.button));
    ImGui::GetIO().AddMouseButtonEvent(changed.button, changed.down);
}

void RemoteScreen::take(const WheelTurned& wheel) { ImGui::GetIO().AddMouseWheelEvent(wheel.turns.x, wheel.turns.y); }

void RemoteScreen::take(const KeyChanged& changed) {
    ImGuiIO& io = ImGui::GetIO();
    const auto modifier = std::ranges::find(kModifiers, changed.key, &Modifier::key);
    if (modifier != kModifiers.end()) io.AddKeyEvent(modifier->imgui, changed.down);
    io.AddKeyEvent(keyOf(changed.key), changed.down);
    if (changed.down) {
        down_.insert(changed.key);
        if (modifier == kModifiers.end() && !types(changed.key)) pressed_.insert(changed.key);
        if (modifier == kModifiers.end()) press(changed.key);
    } else {
        down_.erase(changed.key);
        held_.erase(changed.key);
    }
}

void RemoteScreen::press(const std::string& key) {
    held_.insert(key);
    std::string chord;
    for (const Modifier& modifier : kModifiers)
        if (down_.contains(std::string(modifier.key))) chord += fmt::format("{}+", modifier.key);
    keys_.push_back({key, chord + key});
}

void RemoteScreen::take(const TextTyped& typed) {
    hasText_ = true;
    ImGui::GetIO().AddInputCharactersUTF8(typed.text.c_str());
}

void RemoteScreen::take(const TextPasted& pasted) { clipboard_ = pasted.text; }

void RemoteScreen::take(const FocusLost&) {
    for (const std::string& key : std::set<std::string>(down_)) take(KeyChanged{.key = key, .down = false});
    for (const int button : std::set<int>(buttons_)) take(ButtonChanged{.button = button, .down = false});
    ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX);
}

void RemoteScreen::take(const Resized& resized) {
    scale_ = resized.scale;
    if (follows_) size_ = glm::min(glm::max(resized.size, glm::uvec2(kLeastPoints * scale_)), kMostSide);
}

void RemoteScreen::attach() {
    ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
    platform.Platform_ClipboardUserData = this;
    platform.Platform_GetClipboardTextFn = [](ImGuiContext*) {
        return static_cast<RemoteScreen*>(ImGui::GetPlatformIO().Platform_ClipboardUserData)->clipboard_.c_str();
    };
    platform.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) {
        auto& screen = *static_cast<RemoteScreen*>(ImGui::GetPlatformIO().Platform_ClipboardUserData);
        screen.clipboard_ = text;
        screen.audience_.tellController(jsonText(Json{{"type", "copy"}, {"text", screen.clipboard_}}));
    };
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
}

void RemoteScreen::detach() {
    ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
    platform.Platform_ClipboardUserData = nullptr;
    platform.Platform_GetClipboardTextFn = nullptr;
    platform.Platform_SetClipboardTextFn = nullptr;
}

void RemoteScreen::beginFrame() {
    pressed_.clear();
    hasText_ = false;
    const int cursor = ImGui::GetMouseCursor();
    if (cursor == std::exchange(cursor_, cursor)) return;
    const bool isKnown = cursor >= 0 && static_cast<size_t>(cursor) < kCursors.size();
    audience_.tellController(jsonText(Json{{"type", "cursor"}, {"name", isKnown ? kCursors[static_cast<size_t>(cursor)] : "none"}}));
}

void RemoteScreen::show(Image8 frame) { audience_.show(std::make_shared<const Image8>(std::move(frame))); }

}  // namespace splat::app
