#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <splatwright/core/image.h>
#include "display.h"

namespace splat::test {

/// What a desktop does to the viewer's window, by the X protocol or by Windows' own functions: a window manager, a file manager, and a hand on keys and
/// pointer. All of it has reached the system when a call returns.
class Desktop {
public:
    /// Throws std::runtime_error where the display does not answer.
    explicit Desktop(const Display& display);
    ~Desktop();
    Desktop(const Desktop&) = delete;
    Desktop& operator=(const Desktop&) = delete;

    bool hasWindow();
    void resize(uint32_t width, uint32_t height);
    void minimise();
    void restore();
    /// Asks it to close, as the button of its frame does.
    void close();
    void focus();
    void unfocus();

    /// Drops files on the window; false when it does not take them within seconds.
    bool drop(const std::vector<std::filesystem::path>& files);

    /// A key by Xlib's name for it ("w", "Tab"), with or without Ctrl.
    void press(const std::string& key, bool control = false);
    void release(const std::string& key, bool control = false);
    void type(const std::string& key, bool control = false);
    /// A key as the viewer's table of actions has it: "Ctrl+Shift+Z", "PageDown", "[".
    void typeChord(const std::string& chord);
    /// What a desktop's settings are to programs that start from now on: "Xft.dpi: 192".
    void setResources(const std::string& resources);
    /// In the window, pixels.
    void movePointer(int x, int y);
    void pressButton(uint32_t button);
    void releaseButton(uint32_t button);
    /// Away from the person where that is below 0.
    void turnWheel(int turns);

    /// The least size of its content that the window asks of a window manager, pixels; 0 where it asks for none.
    std::pair<int, int> leastSize();

    /// What the window shows on the screen, 3 channels; empty where it shows nothing.
    Image8 picture();

private:
    struct System;  // whose headers stay out of tests: their macros are words like None
    std::unique_ptr<System> system_;
};

}  // namespace splat::test
