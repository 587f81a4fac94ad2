#pragma once

#include <string>

#include "scene/camera.h"

namespace splat {

/// A picture and how it was taken; what the name is relative to is the writer's business.
struct NamedCamera {
    std::string name;
    Camera camera;
};

}  // namespace splat
