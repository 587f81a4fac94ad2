#pragma once

#include <splatwright/gpu/device.h>
#include <splatwright/shared/training.h>

namespace splat {

/// As after the decision that changes of colours act.
inline gpu::Buffer actingChanges(gpu::Device& device) {
    gpu::Buffer changes = device.buffer<shared::ColourChanges>("colour changes", 1);
    device.upload(changes, std::vector{shared::ColourChanges{.decided = 1, .act = 1, .difference = 0}});
    return changes;
}

}  // namespace splat
