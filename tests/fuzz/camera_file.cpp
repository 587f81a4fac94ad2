#include <splatwright/scene/cameras/camera_file.h>

#include "memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    return splat::fuzz::readInput(data, size, splat::readCameraFile);
}
