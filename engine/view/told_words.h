#pragma once

#include <cstddef>

#include "shared/structs.h"

namespace splat {

/// Where what a picture tells lies in its slot, in words; from `counts` on there is one word an id of the world.
struct ToldWords {
    static constexpr size_t state = 0;  ///< shared::FrameState
    static constexpr size_t visible = sizeof(shared::FrameState) / sizeof(uint32_t);
    static constexpr size_t instances = visible + 1;
    static constexpr size_t range = instances + 1;  ///< two words
    static constexpr size_t counts = range + 2;
};

}  // namespace splat
