#pragma once

#include <string>

#include <splatwright/scene/camera.h>

namespace splat {

/// An image's name and camera; the writer decides what the name is relative to.
struct NamedCamera {
    std::string name;
    Camera camera;
};

}  // namespace splat
