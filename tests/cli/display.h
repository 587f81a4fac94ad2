#pragma once

#include <sys/types.h>

#include <string>

namespace splat::test {

/// An X server without a monitor and without a window manager.
class Display {
public:
    Display();
    ~Display();
    Display(const Display&) = delete;
    Display& operator=(const Display&) = delete;

    /// Empty when there is none: Xvfb is missing (./bootstrap.sh deps installs it).
    const std::string& name() const { return name_; }

private:
    pid_t child_ = -1;
    std::string name_;
};

}  // namespace splat::test
