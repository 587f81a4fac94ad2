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

struct Desktop::System {
    using Id = unsigned long;  // Xlib's XID

    ::Display* display;
    Id root, source;
    unsigned long time = 1000;  ///< of the next event, milliseconds: equal times count as copies of an event

    explicit System(const std::string& name);
    ~System() { XCloseDisplay(display); }
    System(const System&) = delete;
    System& operator=(const System&) = delete;

    Id window();
    Id atom(const char* name) { return XInternAtom(display, name, False); }
    void setState(long state);
    void sendMessage(Id to, const char* type, const long (&data)[5]);
    void sendKey(int type, const std::string& key, unsigned state);
    void sendButton(int type, uint32_t button);
    bool awaitMessage(const char* type, const std::string& uris);
    void answerRequest(const void* request, const std::string& uris);
};

Desktop::System::System(const std::string& name) : display(XOpenDisplay(name.c_str())) {
    if (!display) throw std::runtime_error("no X server at '" + name + "'");
    XSetErrorHandler(ignoreError);
    root = DefaultRootWindow(display);
    source = XCreateSimpleWindow(display, root, 0, 0, 1, 1, 0, 0, 0);
}

Desktop::Desktop(const Display& display) : system_(std::make_unique<System>(display.name())) {}
Desktop::~Desktop() = default;

/// Of the viewer; 0 when it has none.
Desktop::System::Id Desktop::System::window() {
    Id top = 0, parent = 0, found = 0;
    Id* children = nullptr;
    unsigned count = 0;
    XQueryTree(display, root, &top, &parent, &children, &count);
    for (unsigned i = 0; i < count; ++i) {
        char* name = nullptr;
        if (XFetchName(display, children[i], &name) && std::string(name) == "Splatwright") found = children[i];
        if (name) XFree(name);
    }
    if (children) XFree(children);
    return found;
}

bool Desktop::hasWindow() { return system_->window() != 0; }

void Desktop::resize(uint32_t width, uint32_t height) {
    XResizeWindow(system_->display, system_->window(), width, height);
    XSync(system_->display, False);
}

/// Format 32 is Xlib's for longs, whatever they measure.
void Desktop::System::setState(long state) {
    const long data[] = {state, None};
    const Id property = atom("WM_STATE");
    XChangeProperty(display, window(), property, property, 32, PropModeReplace, reinterpret_cast<const unsigned char*>(data), 2);
}

void Desktop::minimise() {
    system_->setState(IconicState);
    XUnmapWindow(system_->display, system_->window());
    XSync(system_->display, False);
}

void Desktop::restore() {
    system_->setState(NormalState);
    XMapWindow(system_->display, system_->window());
    XSync(system_->display, False);
}

void Desktop::close() {
    system_->sendMessage(system_->window(), "WM_PROTOCOLS", {static_cast<long>(system_->atom("WM_DELETE_WINDOW")), CurrentTime, 0, 0, 0});
}

void Desktop::focus() {
    XSetInputFocus(system_->display, system_->window(), RevertToPointerRoot, CurrentTime);
    XSync(system_->display, False);
}

void Desktop::unfocus() {
    XSetInputFocus(system_->display, system_->root, RevertToPointerRoot, CurrentTime);
    XSync(system_->display, False);
}

void Desktop::System::sendMessage(Id to, const char* type, const long (&data)[5]) {
    XEvent event{};
    event.xclient = {.type = ClientMessage, .window = to, .message_type = atom(type), .format = 32};
    std::copy(std::begin(data), std::end(data), event.xclient.data.l);
    XSendEvent(display, to, False, NoEventMask, &event);
    XSync(display, False);
}

bool Desktop::drop(const std::vector<std::filesystem::path>& files) {
    std::string uris;
    for (const auto& file : files) uris += uriOf(file);
    const System::Id to = system_->window();
    const auto from = static_cast<long>(system_->source);
    XSetSelectionOwner(system_->display, system_->atom("XdndSelection"), system_->source, CurrentTime);
    system_->sendMessage(to, "XdndEnter", {from, kXdndVersion << 24, static_cast<long>(system_->atom("text/uri-list")), None, None});
    system_->sendMessage(to, "XdndPosition", {from, 0, 50 << 16 | 50, CurrentTime, static_cast<long>(system_->atom("XdndActionCopy"))});
    if (!system_->awaitMessage("XdndStatus", uris)) return false;
    system_->sendMessage(to, "XdndDrop", {from, 0, CurrentTime, 0, 0});
    return system_->awaitMessage("XdndFinished", uris);
}

/// Meanwhile, tells what is dropped to whoever asks.
bool Desktop::System::awaitMessage(const char* type, const std::string& uris) {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (std::chrono::steady_clock::now() < until) {
        if (XPending(display) == 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            continue;
        }
        XEvent event;
        XNextEvent(display, &event);
        if (event.type == SelectionRequest) answerRequest(&event, uris);
        if (event.type == ClientMessage && event.xclient.message_type == atom(type)) return true;
    }
    return false;
}

void Desktop::System::answerRequest(const void* asked, const std::string& uris) {
    const XSelectionRequestEvent& request = static_cast<const XEvent*>(asked)->xselectionrequest;
    XChangeProperty(display, request.requestor, request.property, request.target, 8, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(uris.data()), static_cast<int>(uris.size()));
    XEvent answer{};
    answer.xselection = {.type = SelectionNotify,
                         .requestor = request.requestor,
                         .selection = request.selection,
                         .target = request.target,
                         .property = request.property,
                         .time = request.time};
    XSendEvent(display, request.requestor, False, NoEventMask, &answer);
    XSync(display, False);
}

void Desktop::System::sendKey(int type, const std::string& key, unsigned state) {
    XEvent event{};
    event.xkey = {.type = type,
                  .window = window(),
                  .root = root,
                  .time = time += 10,
                  .state = state,
                  .keycode = XKeysymToKeycode(display, XStringToKeysym(key.c_str())),
                  .same_screen = True};
    XSendEvent(display, event.xkey.window, False, type == KeyPress ? KeyPressMask : KeyReleaseMask, &event);
    XSync(display, False);
}

void Desktop::press(const std::string& key, bool control) { system_->sendKey(KeyPress, key, control ? ControlMask : 0); }
void Desktop::release(const std::string& key, bool control) { system_->sendKey(KeyRelease, key, control ? ControlMask : 0); }

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
    system_->sendKey(KeyPress, key, state);
    system_->sendKey(KeyRelease, key, state);
}

void Desktop::setResources(const std::string& resources) {
    XChangeProperty(system_->display, system_->root, XA_RESOURCE_MANAGER, XA_STRING, 8, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(resources.data()), static_cast<int>(resources.size()));
    XSync(system_->display, False);
}

void Desktop::type(const std::string& key, bool control) {
    press(key, control);
    release(key, control);
}

void Desktop::movePointer(int x, int y) {
    XWarpPointer(system_->display, None, system_->window(), 0, 0, 0, 0, x, y);
    XSync(system_->display, False);
}

void Desktop::System::sendButton(int type, uint32_t button) {
    XEvent event{};
    event.xbutton = {.type = type, .window = window(), .root = root, .time = time += 10, .button = button, .same_screen = True};
    XSendEvent(display, event.xbutton.window, False, type == ButtonPress ? ButtonPressMask : ButtonReleaseMask, &event);
    XSync(display, False);
}

void Desktop::pressButton(uint32_t button) { system_->sendButton(ButtonPress, button); }
void Desktop::releaseButton(uint32_t button) { system_->sendButton(ButtonRelease, button); }

void Desktop::turnWheel(int turns) {
    for (int i = 0; i < std::abs(turns); ++i) {
        pressButton(turns < 0 ? 5 : 4);
        releaseButton(turns < 0 ? 5 : 4);
    }
}

std::pair<int, int> Desktop::leastSize() {
    XSizeHints hints{};
    long supplied = 0;
    if (!XGetWMNormalHints(system_->display, system_->window(), &hints, &supplied) || !(hints.flags & PMinSize)) return {};
    return {hints.min_width, hints.min_height};
}

Image8 Desktop::picture() {
    XWindowAttributes has{};
    if (!XGetWindowAttributes(system_->display, system_->window(), &has) || has.map_state != IsViewable) return {};
    const auto width = static_cast<unsigned>(has.width), height = static_cast<unsigned>(has.height);
    XImage* grabbed = XGetImage(system_->display, system_->window(), 0, 0, width, height, AllPlanes, ZPixmap);
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
