#pragma once

#include <string>
#include <vector>

#include <splatwright/scene/cameras/camera.h>

namespace splat {

/// A camera and the name of its image, without a file ending.
struct NamedView {
    std::string name;
    Camera camera;
};

}  // namespace splat
