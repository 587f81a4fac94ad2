#pragma once

#include "viewer/files/remembered.h"

namespace splat::app {

class Viewer;

/// Takes on what the last start left. Throws InputError, before anything has changed, if it names a render mode or a tool that does not exist.
void recall(Viewer& viewer, const Remembered& last);

/// What the next start takes on. window: what is known of its place.
Remembered remembered(Viewer& viewer, const std::optional<WindowPlace>& window);

}  // namespace splat::app
