#pragma once

namespace splat::app {

/// While one lives, the first Ctrl-C only raises a flag, so that work can stop where it can be saved; a second one ends the process.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    bool requested() const;
};

}  // namespace splat::app
