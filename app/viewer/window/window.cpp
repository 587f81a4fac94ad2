#include "viewer/window/window.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <GLFW/glfw3.h>
#include <imgui_impl_glfw.h>

#include <splatwright/core/error.h>
#include <splatwright/core/log.h>

namespace splat::app {

namespace {

constexpr float kLeastWidth = 640, kLeastHeight = 400;  // points

struct NamedKey {
    int key;
    std::string_view name;
};
constexpr NamedKey kNamedKeys[] = {
    {GLFW_KEY_ESCAPE, "Escape"}, {GLFW_KEY_ENTER, "Enter"}, {GLFW_KEY_TAB, "Tab"},        {GLFW_KEY_BACKSPACE, "Backspace"},
    {GLFW_KEY_DELETE, "Delete"}, {GLFW_KEY_SPACE, "Space"}, {GLFW_KEY_LEFT, "Left"},      {GLFW_KEY_RIGHT, "Right"},
    {GLFW_KEY_UP, "Up"},         {GLFW_KEY_DOWN, "Down"},   {GLFW_KEY_PAGE_UP, "PageUp"}, {GLFW_KEY_PAGE_DOWN, "PageDown"},
    {GLFW_KEY_HOME, "Home"},     {GLFW_KEY_END, "End"},     {GLFW_KEY_LEFT_BRACKET, "["}, {GLFW_KEY_RIGHT_BRACKET, "]"},
    {GLFW_KEY_MINUS, "-"},       {GLFW_KEY_EQUAL, "="},     {GLFW_KEY_COMMA, ","},        {GLFW_KEY_PERIOD, "."},
};

/// "" for keys without a name here, such as modifiers. Letters follow the keyboard's layout.
std::string keyName(int key, int scancode) {
    for (const NamedKey& named : kNamedKeys) {
        if (named.key == key) return std::string(named.name);
    }
    if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12) return fmt::format("F{}", key - GLFW_KEY_F1 + 1);
    const bool prints = (key >= GLFW_KEY_A && key <= GLFW_KEY_Z) || (key >= GLFW_KEY_0 && key <= GLFW_KEY_9);
    if (!prints) return "";
    const char* printed = glfwGetKeyName(key, scancode);
    const char letter = printed && printed[0] > 0 && printed[1] == '\0' ? printed[0] : static_cast<char>(key);
    return std::string(1, static_cast<char>(std::toupper(static_cast<unsigned char>(letter))));
}

std::string lastProblem() {
    const char* message = nullptr;
    glfwGetError(&message);
    return message ? message : "no reason given";
}

}  // namespace

Window::Window(const std::string& title, glm::uvec2 size) {
    glfwSetErrorCallback([](int code, const char* message) { spdlog::debug("GLFW {:#x}: {}", code, message); });
    if (!glfwInit()) throw Error("no window can be opened: {}; without a display, use `view --headless`", lastProblem());
    if (!glfwVulkanSupported()) {
        glfwTerminate();
        throw Error("no window can be opened: this display has no Vulkan surfaces; use `view --headless`");
    }
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    window_ = glfwCreateWindow(static_cast<int>(size.x), static_cast<int>(size.y), title.c_str(), nullptr, nullptr);
    if (!window_) {
        const std::string problem = lastProblem();
        glfwTerminate();
        throw Error("no window can be opened: {}", problem);
    }
    // Panels, menus and the welcome text stay legible; at most the monitor's size.
    int width = static_cast<int>(kLeastWidth * scale()), height = static_cast<int>(kLeastHeight * scale());
    if (const GLFWvidmode* mode = glfwGetVideoMode(glfwGetPrimaryMonitor())) {
        width = std::min(width, mode->width);
        height = std::min(height, mode->height);
    }
    glfwSetWindowSizeLimits(window_, width, height, GLFW_DONT_CARE, GLFW_DONT_CARE);
    listen();
    notePlace();
}

Window::~Window() {
    glfwDestroyWindow(window_);
    glfwTerminate();
}

Window& Window::of(GLFWwindow* window) { return *static_cast<Window*>(glfwGetWindowUserPointer(window)); }

/// Dear ImGui's backend is installed later and calls these in turn.
void Window::listen() {
    glfwSetWindowUserPointer(window_, this);
    glfwSetKeyCallback(window_,
                       [](GLFWwindow* w, int key, int scancode, int action, int mods) { of(w).onKey(key, scancode, action, mods); });
    glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
        for (int i = 0; i < count; ++i) of(w).dropped_.emplace_back(paths[i]);
        of(w).activity_ = true;
    });
    glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double, double) { of(w).activity_ = true; });
    glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int, int, int) { of(w).activity_ = true; });
    glfwSetScrollCallback(window_, [](GLFWwindow* w, double, double) { of(w).activity_ = true; });
    glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned int) { of(w).activity_ = true; });
    glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int, int) {
        of(w).activity_ = true;
        of(w).notePlace();
    });
    glfwSetWindowPosCallback(window_, [](GLFWwindow* w, int, int) { of(w).notePlace(); });
    glfwSetWindowContentScaleCallback(window_, [](GLFWwindow* w, float, float) { of(w).activity_ = true; });
    glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { of(w).activity_ = true; });
    glfwSetWindowIconifyCallback(window_, [](GLFWwindow* w, int minimised) {
        of(w).minimised_ = minimised != 0;
        of(w).activity_ = true;
    });
    glfwSetWindowFocusCallback(window_, [](GLFWwindow* w, int focused) {
        if (!focused) of(w).held_.clear();  // another window receives their release
        of(w).activity_ = true;
    });
}

void Window::onKey(int key, int scancode, int action, int modifiers) {
    activity_ = true;
    const std::string name = keyName(key, scancode);
    if (name.empty()) return;
    if (action == GLFW_RELEASE) {
        held_.erase(name);
        return;
    }
    held_.insert(name);
    std::string chord;
    if (modifiers & GLFW_MOD_CONTROL) chord += "Ctrl+";
    if (modifiers & GLFW_MOD_SHIFT) chord += "Shift+";
    if (modifiers & GLFW_MOD_ALT) chord += "Alt+";
    keys_.push_back({name, chord + name});
}

void Window::prepare(gpu::DeviceOptions& options) const {
    uint32_t count = 0;
    const char** names = glfwGetRequiredInstanceExtensions(&count);
    options.windowExtensions = {names, names + count};
    options.showsPictures = [](VkInstance instance, VkPhysicalDevice device, uint32_t family) {
        return glfwGetPhysicalDevicePresentationSupport(instance, device, family) == GLFW_TRUE;
    };
}

gpu::MakeSurface Window::surface() const {
    return [window = window_](VkInstance instance) {
        VkSurfaceKHR surface = VK_NULL_HANDLE;
        if (glfwCreateWindowSurface(instance, window, nullptr, &surface) != VK_SUCCESS)
            throw Error("the window has no surface for Vulkan: {}", lastProblem());
        return surface;
    };
}

void Window::poll() { glfwPollEvents(); }
void Window::wait(double seconds) { glfwWaitEventsTimeout(seconds); }

glm::uvec2 Window::size() const {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    return {static_cast<uint32_t>(width), static_cast<uint32_t>(height)};
}

/// Wayland tells no positions, which then stay at zero.
void Window::notePlace() {
    if (minimised_ || glfwGetWindowAttrib(window_, GLFW_MAXIMIZED)) return;
    glfwGetWindowPos(window_, &normal_.position.x, &normal_.position.y);
    glfwGetWindowSize(window_, &normal_.size.x, &normal_.size.y);
}

WindowPlace Window::place() const {
    WindowPlace place = normal_;
    place.maximised = glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) == GLFW_TRUE;
    return place;
}

void Window::setPlace(const WindowPlace& place) {
    if (place.size.x > 0 && place.size.y > 0) glfwSetWindowSize(window_, place.size.x, place.size.y);
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; ++i) {
        glm::ivec2 low(0), size(0);
        glfwGetMonitorWorkarea(monitors[i], &low.x, &low.y, &size.x, &size.y);
        const bool shows = glm::all(glm::greaterThanEqual(place.position, low)) && glm::all(glm::lessThan(place.position, low + size));
        if (shows) glfwSetWindowPos(window_, place.position.x, place.position.y);
    }
    if (place.maximised) glfwMaximizeWindow(window_);
}

float Window::scale() const {
    float x = 1, y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    return x;
}

bool Window::takeCloseRequest() {
    const bool asked = glfwWindowShouldClose(window_);
    glfwSetWindowShouldClose(window_, GLFW_FALSE);
    return asked;
}

void Window::attach() { ImGui_ImplGlfw_InitForVulkan(window_, true); }
void Window::detach() { ImGui_ImplGlfw_Shutdown(); }
void Window::beginFrame() { ImGui_ImplGlfw_NewFrame(); }

}  // namespace splat::app
