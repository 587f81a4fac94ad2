#pragma once

#include "commands/measure_frames.h"

namespace splat {
class WorldView;
struct Extent;
namespace gpu {
class Device;
}
}  // namespace splat

namespace splat::app {

/// FLIP of consecutive frames on a slow orbit. Motion alone changes little from frame to frame; splats that change their order do more.
struct Popping {
    double mean = 0, worst = 0;
    uint32_t frame = 0;  ///< after which the largest difference comes, counted from 1
};

/// Draws the frames of an orbit that turns 0.05 degrees from frame to frame, at the options' size.
Popping measurePopping(gpu::Device& device, WorldView& view, const Extent& extent, const MeasureOptions& options);

}  // namespace splat::app
