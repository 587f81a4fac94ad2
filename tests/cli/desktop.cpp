#include "desktop.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>

#include <chrono>
#include <map>
#include <memory>
#include <stdexcept>
#include <thread>

namespace splat::test {

namespace {

constexpr auto kPatience = std::chrono::seconds(20);
constexpr long kXdndVersion = 5;

/// The window may be gone before a message reaches it.
int ignoreError(_XDisplay*, XErrorEvent*) { return 0; }

std::string uriOf(const std::filesystem::path& path) {
    static constexpr char kDigits[] = "0123456789ABCDEF";
    std::string uri = "file://";
    for (const char c : path.string()) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) || c == '/' || c == '.' || c == '-' || c == '_') {
            uri += c;
        } else {
            uri += {'%', kDigits[byte >> 4u], kDigits[byte & 15u]};
        }
    }
    return uri + "\r\n";
}

}  // namespace

Desktop::Desktop(const Display& display) : display_(XOpenDisplay(display.name().c_str())) {
    if (!display_) throw std::runtime_error("no X server at '" + display.name() + "'");
    XSetErrorHandler(ignoreError);
    root_ = DefaultRootWindow(display_);
    source_ = XCreateSimpleWindow(display_, root_, 0, 0, 1, 1, 0, 0, 0);
}

Desktop::~Desktop() { XCloseDisplay(display_); }

Desktop::Id Desktop::atom(const char* name) { return XInternAtom(display_, name, False); }

/// Of the viewer; 0 when it has none.
Desktop::Id Desktop::window() {
    Id root = 0, parent = 0, found = 0;
    Id* children = nullptr;
    unsigned count = 0;
    XQueryTree(display_, root_, &root, &parent, &children, &count);
    for (unsigned i = 0; i < count; ++i) {
        char* name = nullptr;
        if (XFetchName(display_, children[i], &name) && std::string(name) == "Splatwright") found = children[i];
        if (name) XFree(name);
    }
    if (children) XFree(children);
    return found;
}

void Desktop::resize(uint32_t width, uint32_t height) {
    XResizeWindow(display_, window(), width, height);
    XSync(display_, False);
}

/// Format 32 is Xlib's for longs, whatever they measure.
void Desktop::setState(long state) {
    const long data[] = {state, None};
    const Id property = atom("WM_STATE");
    XChangeProperty(display_, window(), property, property, 32, PropModeReplace, reinterpret_cast<const unsigned char*>(data), 2);
}

void Desktop::minimise() {
    setState(IconicState);
    XUnmapWindow(display_, window());
    XSync(display_, False);
}

void Desktop::restore() {
    setState(NormalState);
    XMapWindow(display_, window());
    XSync(display_, False);
}

void Desktop::close() { sendMessage(window(), "WM_PROTOCOLS", {static_cast<long>(atom("WM_DELETE_WINDOW")), CurrentTime, 0, 0, 0}); }

void Desktop::focus() {
    XSetInputFocus(display_, window(), RevertToPointerRoot, CurrentTime);
    XSync(display_, False);
}

void Desktop::unfocus() {
    XSetInputFocus(display_, root_, RevertToPointerRoot, CurrentTime);
    XSync(display_, False);
}

void Desktop::sendMessage(Id to, const char* type, const long (&data)[5]) {
    XEvent event{};
    event.xclient = {.type = ClientMessage, .window = to, .message_type = atom(type), .format = 32};
    std::copy(std::begin(data), std::end(data), event.xclient.data.l);
    XSendEvent(display_, to, False, NoEventMask, &event);
    XSync(display_, False);
}

bool Desktop::drop(const std::vector<std::filesystem::path>& files) {
    std::string uris;
    for (const auto& file : files) uris += uriOf(file);
    const Id to = window();
    const auto from = static_cast<long>(source_);
    XSetSelectionOwner(display_, atom("XdndSelection"), source_, CurrentTime);
    sendMessage(to, "XdndEnter", {from, kXdndVersion << 24, static_cast<long>(atom("text/uri-list")), None, None});
    sendMessage(to, "XdndPosition", {from, 0, 50 << 16 | 50, CurrentTime, static_cast<long>(atom("XdndActionCopy"))});
    if (!awaitMessage("XdndStatus", uris)) return false;
    sendMessage(to, "XdndDrop", {from, 0, CurrentTime, 0, 0});
    return awaitMessage("XdndFinished", uris);
}

/// Meanwhile, tells what is dropped to whoever asks.
bool Desktop::awaitMessage(const char* type, const std::string& uris) {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (std::chrono::steady_clock::now() < until) {
        if (XPending(display_) == 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            continue;
        }
        XEvent event;
        XNextEvent(display_, &event);
        if (event.type == SelectionRequest) answerRequest(&event, uris);
        if (event.type == ClientMessage && event.xclient.message_type == atom(type)) return true;
    }
    return false;
}

void Desktop::answerRequest(const void* asked, const std::string& uris) {
    const XSelectionRequestEvent& request = static_cast<const XEvent*>(asked)->xselectionrequest;
    XChangeProperty(display_, request.requestor, request.property, request.target, 8, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(uris.data()), static_cast<int>(uris.size()));
    XEvent answer{};
    answer.xselection = {.type = SelectionNotify,
                         .requestor = request.requestor,
                         .selection = request.selection,
                         .target = request.target,
                         .property = request.property,
                         .time = request.time};
    XSendEvent(display_, request.requestor, False, NoEventMask, &answer);
    XSync(display_, False);
}

void Desktop::sendKey(int type, const std::string& key, unsigned state) {
    XEvent event{};
    event.xkey = {.type = type,
                  .window = window(),
                  .root = root_,
                  .time = time_ += 10,
                  .state = state,
                  .keycode = XKeysymToKeycode(display_, XStringToKeysym(key.c_str())),
                  .same_screen = True};
    XSendEvent(display_, event.xkey.window, False, type == KeyPress ? KeyPressMask : KeyReleaseMask, &event);
    XSync(display_, False);
}

void Desktop::press(const std::string& key, bool control) { sendKey(KeyPress, key, control ? ControlMask : 0); }
void Desktop::release(const std::string& key, bool control) { sendKey(KeyRelease, key, control ? ControlMask : 0); }

void Desktop::typeChord(const std::string& chord) {
    static const std::map<std::string, std::string> kNames{{"Space", "space"},   {"PageUp", "Prior"},   {"PageDown", "Next"},
                                                           {"[", "bracketleft"}, {"]", "bracketright"}, {"Enter", "Return"}};
    std::string key = chord;
    unsigned state = 0;
    for (const auto& [prefix, mask] : {std::pair("Ctrl+", ControlMask), std::pair("Shift+", ShiftMask)}) {
        if (!key.starts_with(prefix)) continue;
        state |= static_cast<unsigned>(mask);
        key = key.substr(std::string(prefix).size());
    }
    if (kNames.contains(key)) key = kNames.at(key);
    if (key.size() == 1) key[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(key[0])));
    sendKey(KeyPress, key, state);
    sendKey(KeyRelease, key, state);
}

void Desktop::setResources(const std::string& resources) {
    XChangeProperty(display_, root_, XA_RESOURCE_MANAGER, XA_STRING, 8, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(resources.data()), static_cast<int>(resources.size()));
    XSync(display_, False);
}

void Desktop::type(const std::string& key, bool control) {
    press(key, control);
    release(key, control);
}

void Desktop::movePointer(int x, int y) {
    XWarpPointer(display_, None, window(), 0, 0, 0, 0, x, y);
    XSync(display_, False);
}

void Desktop::sendButton(int type, uint32_t button) {
    XEvent event{};
    event.xbutton = {.type = type, .window = window(), .root = root_, .time = time_ += 10, .button = button, .same_screen = True};
    XSendEvent(display_, event.xbutton.window, False, type == ButtonPress ? ButtonPressMask : ButtonReleaseMask, &event);
    XSync(display_, False);
}

void Desktop::pressButton(uint32_t button) { sendButton(ButtonPress, button); }
void Desktop::releaseButton(uint32_t button) { sendButton(ButtonRelease, button); }

void Desktop::turnWheel(int turns) {
    for (int i = 0; i < std::abs(turns); ++i) {
        pressButton(turns < 0 ? 5 : 4);
        releaseButton(turns < 0 ? 5 : 4);
    }
}

std::pair<int, int> Desktop::leastSize() {
    XSizeHints hints{};
    long supplied = 0;
    if (!XGetWMNormalHints(display_, window(), &hints, &supplied) || !(hints.flags & PMinSize)) return {};
    return {hints.min_width, hints.min_height};
}

Image8 Desktop::picture() {
    XWindowAttributes has{};
    if (!XGetWindowAttributes(display_, window(), &has) || has.map_state != IsViewable) return {};
    const auto width = static_cast<unsigned>(has.width), height = static_cast<unsigned>(has.height);
    XImage* grabbed = XGetImage(display_, window(), 0, 0, width, height, AllPlanes, ZPixmap);
    if (!grabbed) return {};
    Image8 image(has.width, has.height, 3);
    uint8_t* to = image.pixels.data();
    for (int y = 0; y < has.height; ++y)
        for (int x = 0; x < has.width; ++x)
            for (const unsigned shift : {16u, 8u, 0u}) *to++ = static_cast<uint8_t>(XGetPixel(grabbed, x, y) >> shift);
    XDestroyImage(grabbed);
    return image;
}

}  // namespace splat::test
