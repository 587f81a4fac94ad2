#pragma once

#include <string>
#include <vector>

#include "scene/camera.h"

namespace splat::app {

/// A camera and what its picture is called, without an ending.
struct NamedView {
    std::string name;
    Camera camera;
};

}  // namespace splat::app
