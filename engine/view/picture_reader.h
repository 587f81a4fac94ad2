#pragma once

#include <splatwright/core/image.h>
#include <splatwright/view/world_view.h>

namespace splat {

/// Reads the last picture of a view back to the host, and waits for it.
class PictureReader {
public:
    explicit PictureReader(gpu::Device& device) : device_(device) {}

    /// 3 channels, as the view shows them.
    Image8 picture(const WorldView& view) const;
    /// What the picture shows before it becomes a colour of 8 bits: colours as they are blended, over the background and not clamped; normals in the
    /// camera's frame (x right, y down, z forward) of length 1; or one number, in the mode's unit. Means of pixels without splats are 0. The channels
    /// are RenderMode::channels().
    ImageF values(const WorldView& view);

private:
    gpu::Device& device_;
    gpu::Buffer values_;
};

}  // namespace splat
