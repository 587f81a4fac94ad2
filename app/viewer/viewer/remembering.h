#pragma once

#include <filesystem>

#include "viewer/files/remembered.h"

namespace splat::app {

class Viewer;
class Window;

/// Takes on what the last start left. Throws InputError, before anything has changed, if it names a render mode or a tool that does not exist.
void recall(Viewer& viewer, const Remembered& last);

/// Keeps in the user's file what the next start takes on.
class Remembering {
public:
    /// kept: what the file holds.
    Remembering(std::filesystem::path file, const Window& window, Remembered kept);

    /// Writes the file if something has changed. A file that cannot be written is no error.
    void update(Viewer& viewer);

private:
    std::filesystem::path file_;
    const Window& window_;
    Remembered kept_;
};

}  // namespace splat::app
