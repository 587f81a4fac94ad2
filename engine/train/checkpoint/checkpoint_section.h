#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace splat {

/// A named block of a checkpoint: elements of `stride` bytes each.
struct CheckpointSection {
    std::string name;
    uint32_t stride = 1;
    std::vector<std::byte> bytes;
};

}  // namespace splat
