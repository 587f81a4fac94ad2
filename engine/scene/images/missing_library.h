#pragma once

#include <splatwright/core/error.h>
#include <splatwright/scene/images/codec.h>

namespace splat {

/// Library of a format that this build was made without, by its package in Debian and Ubuntu.
[[noreturn]] inline void refuseWithout(const EncodedImage& file, const char* format, const char* package) {
    throw InputError(
        "{}: is {}, which is not read, as this build was made without {}: install it and build the program again, or convert the picture "
        "to JPEG",
        file.path.string(), format, package);
}

}  // namespace splat
