// Windows' own functions for what desktop_posix.cpp does by the X protocol.
#include "desktop.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <map>
#include <stdexcept>
#include <thread>

#include <splatwright/core/platform/windows/api.h>
// After Windows' own header, whose types it has.
#include <shlobj.h>

namespace splat::test {

namespace {

constexpr auto kPatience = std::chrono::seconds(20);

/// Virtual keys of the names that are no letter or digit.
WORD virtualKeyOf(const std::string& key) {
    static const std::map<std::string, WORD> kNames{
        {"Tab", VK_TAB},       {"Escape", VK_ESCAPE},     {"Delete", VK_DELETE}, {"Return", VK_RETURN}, {"Enter", VK_RETURN},
        {"Space", VK_SPACE},   {"PageUp", VK_PRIOR},      {"PageDown", VK_NEXT}, {"Home", VK_HOME},     {"End", VK_END},
        {"Left", VK_LEFT},     {"Right", VK_RIGHT},       {"Up", VK_UP},         {"Down", VK_DOWN},     {"BackSpace", VK_BACK},
        {"Insert", VK_INSERT}, {"period", VK_OEM_PERIOD}, {"[", VK_OEM_4},       {"]", VK_OEM_6},       {"Control_L", VK_LCONTROL},
        {"Shift_L", VK_LSHIFT}};
    if (const auto named = kNames.find(key); named != kNames.end()) return named->second;
    if (key.size() > 1 && key[0] == 'F') return static_cast<WORD>(VK_F1 + std::stoi(key.substr(1)) - 1);
    const SHORT found = key.size() == 1 ? VkKeyScanA(key[0]) : SHORT{-1};
    if (found == -1) throw std::runtime_error("no key '" + key + "'");
    return static_cast<WORD>(found & 0xff);
}

bool isExtended(WORD key) {
    static constexpr std::array kKeys{VK_DELETE, VK_INSERT, VK_HOME, VK_END, VK_PRIOR, VK_NEXT, VK_LEFT, VK_RIGHT, VK_UP, VK_DOWN};
    return std::ranges::find(kKeys, key) != kKeys.end();
}

void sendKey(WORD key, bool down) {
    INPUT input{};
    input.type = INPUT_KEYBOARD;
    input.ki.wVk = key;
    input.ki.wScan = static_cast<WORD>(MapVirtualKeyW(key, MAPVK_VK_TO_VSC));
    input.ki.dwFlags = (down ? 0u : KEYEVENTF_KEYUP) | (isExtended(key) ? KEYEVENTF_EXTENDEDKEY : 0u);
    SendInput(1, &input, sizeof(input));
}

void sendMouse(DWORD flags, int data = 0) {
    INPUT input{};
    input.type = INPUT_MOUSE;
    input.mi.dwFlags = flags;
    input.mi.mouseData = static_cast<DWORD>(data);
    SendInput(1, &input, sizeof(input));
}

}  // namespace

struct Desktop::System {
    /// Has the focus while the viewer's window is without it.
    HWND other = CreateWindowExW(0, L"STATIC", L"another window", WS_POPUP | WS_VISIBLE, 0, 0, 1, 1, nullptr, nullptr, nullptr, nullptr);

    System() = default;
    ~System() { DestroyWindow(other); }
    System(const System&) = delete;
    System& operator=(const System&) = delete;

    /// Of the viewer; null when it has none.
    static HWND window() {
        const HWND found = FindWindowW(nullptr, L"Splatwright");
        return found && IsWindowVisible(found) ? found : nullptr;
    }
    /// By how much a window is larger than its content.
    static SIZE frame() {
        RECT rectangle{};
        AdjustWindowRectEx(&rectangle, static_cast<DWORD>(GetWindowLongPtrW(window(), GWL_STYLE)), FALSE,
                           static_cast<DWORD>(GetWindowLongPtrW(window(), GWL_EXSTYLE)));
        return {rectangle.right - rectangle.left, rectangle.bottom - rectangle.top};
    }
    void setForeground(HWND to) const {
        SetForegroundWindow(to);
        const auto until = std::chrono::steady_clock::now() + kPatience;
        while (GetForegroundWindow() != to && std::chrono::steady_clock::now() < until) pumpMessages();
    }
    /// Windows waits for answers of its own window too.
    static void pumpMessages() {
        for (MSG message; PeekMessageW(&message, nullptr, 0, 0, PM_REMOVE) != 0;) DispatchMessageW(&message);
        Sleep(1);
    }
};

Desktop::Desktop(const Display& /*display*/) : system_(std::make_unique<System>()) {
    if (!system_->other) throw std::runtime_error("no window can be opened");
}
Desktop::~Desktop() = default;

bool Desktop::hasWindow() { return System::window() != nullptr; }

void Desktop::resize(uint32_t width, uint32_t height) {
    const SIZE frame = System::frame();
    SetWindowPos(System::window(), nullptr, 0, 0, static_cast<int>(width) + frame.cx, static_cast<int>(height) + frame.cy,
                 SWP_NOMOVE | SWP_NOZORDER | SWP_NOACTIVATE);
}

void Desktop::minimise() { ShowWindow(System::window(), SW_MINIMIZE); }
void Desktop::restore() { ShowWindow(System::window(), SW_RESTORE); }
void Desktop::close() { PostMessageW(System::window(), WM_CLOSE, 0, 0); }
void Desktop::focus() { system_->setForeground(System::window()); }
void Desktop::unfocus() { system_->setForeground(system_->other); }

/// As a file manager of Windows 95 does it; the system copies the list of names into the other process.
bool Desktop::drop(const std::vector<std::filesystem::path>& files) {
    std::wstring names;
    for (const auto& file : files) names += std::filesystem::path(file).make_preferred().wstring() + L'\0';
    names += L'\0';
    const HGLOBAL memory = GlobalAlloc(GHND, sizeof(DROPFILES) + names.size() * sizeof(wchar_t));
    auto* list = static_cast<DROPFILES*>(GlobalLock(memory));
    *list = {.pFiles = sizeof(DROPFILES), .pt = {50, 50}, .fNC = FALSE, .fWide = TRUE};
    std::memcpy(list + 1, names.data(), names.size() * sizeof(wchar_t));
    GlobalUnlock(memory);
    return PostMessageW(System::window(), WM_DROPFILES, reinterpret_cast<WPARAM>(memory), 0) != 0;
}

/// The X server's; its test is left out.
void Desktop::setResources(const std::string& /*text*/) {}

void Desktop::press(const std::string& key, bool control) {
    if (GetForegroundWindow() == system_->other || !GetForegroundWindow()) focus();
    if (control) sendKey(VK_LCONTROL, true);
    sendKey(virtualKeyOf(key), true);
}

void Desktop::release(const std::string& key, bool control) {
    sendKey(virtualKeyOf(key), false);
    if (control) sendKey(VK_LCONTROL, false);
}

void Desktop::type(const std::string& key, bool control) {
    press(key, control);
    release(key, control);
}

void Desktop::typeChord(const std::string& chord) {
    std::string key = chord;
    std::vector<WORD> held;
    for (const auto& [prefix, modifier] : {std::pair<std::string, WORD>("Ctrl+", VK_LCONTROL), {"Shift+", VK_LSHIFT}}) {
        if (!key.starts_with(prefix)) continue;
        held.push_back(modifier);
        key = key.substr(prefix.size());
    }
    for (const WORD modifier : held) sendKey(modifier, true);
    type(key.size() == 1 ? std::string(1, static_cast<char>(std::tolower(static_cast<unsigned char>(key[0])))) : key);
    for (const WORD modifier : held) sendKey(modifier, false);
}

void Desktop::movePointer(int x, int y) {
    POINT at{x, y};
    ClientToScreen(System::window(), &at);
    SetCursorPos(at.x, at.y);
}

void Desktop::pressButton(uint32_t button) {
    constexpr std::array<DWORD, 4> kDown{0, MOUSEEVENTF_LEFTDOWN, MOUSEEVENTF_MIDDLEDOWN, MOUSEEVENTF_RIGHTDOWN};
    sendMouse(kDown.at(button));
}

void Desktop::releaseButton(uint32_t button) {
    constexpr std::array<DWORD, 4> kUp{0, MOUSEEVENTF_LEFTUP, MOUSEEVENTF_MIDDLEUP, MOUSEEVENTF_RIGHTUP};
    sendMouse(kUp.at(button));
}

void Desktop::turnWheel(int turns) { sendMouse(MOUSEEVENTF_WHEEL, turns * WHEEL_DELTA); }

std::pair<int, int> Desktop::leastSize() {
    MINMAXINFO limits{};
    SendMessageW(System::window(), WM_GETMINMAXINFO, 0, reinterpret_cast<LPARAM>(&limits));
    const SIZE frame = System::frame();
    return {limits.ptMinTrackSize.x - frame.cx, limits.ptMinTrackSize.y - frame.cy};
}

Image8 Desktop::picture() {
    RECT content{};
    const HWND window = System::window();
    if (!window || IsIconic(window) || !GetClientRect(window, &content) || content.right == 0 || content.bottom == 0) return {};
    POINT origin{0, 0};
    ClientToScreen(window, &origin);
    BITMAPINFO form{};
    form.bmiHeader = {
        .biSize = sizeof(form.bmiHeader), .biWidth = content.right, .biHeight = -content.bottom, .biPlanes = 1, .biBitCount = 32};
    uint8_t* pixels = nullptr;
    const HDC screen = GetDC(nullptr), copy = CreateCompatibleDC(screen);
    const HBITMAP bitmap = CreateDIBSection(screen, &form, DIB_RGB_COLORS, reinterpret_cast<void**>(&pixels), nullptr, 0);
    const HGDIOBJ before = SelectObject(copy, bitmap);
    BitBlt(copy, 0, 0, content.right, content.bottom, screen, origin.x, origin.y, SRCCOPY);
    GdiFlush();
    Image8 image(content.right, content.bottom, 3);
    for (size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = pixels[i / 3 * 4 + 2 - i % 3];  // Windows has blue first
    SelectObject(copy, before);
    DeleteObject(bitmap);
    DeleteDC(copy);
    ReleaseDC(nullptr, screen);
    return image;
}

}  // namespace splat::test
