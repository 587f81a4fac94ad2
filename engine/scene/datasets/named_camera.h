#pragma once

#include <string>

#include <splatwright/scene/cameras/lens.h>

namespace splat {

/// Name and camera of an image; the name's base folder depends on the writer.
struct NamedCamera {
    std::string name;
    Lens lens;
};

}  // namespace splat
