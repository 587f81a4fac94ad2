#include <splatwright/scene/formats/ply_points.h>
#include "memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) { return splat::fuzz::readInput(data, size, splat::readPointsPly); }
