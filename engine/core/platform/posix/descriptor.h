#pragma once

#include <splatwright/core/platform/file.h>

namespace splat::platform {

/// -1 of a file that is not open.
inline int descriptorOf(const File& file) { return static_cast<int>(file.handle()); }

}  // namespace splat::platform
