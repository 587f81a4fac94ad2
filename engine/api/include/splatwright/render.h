#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include <splatwright/device.h>
#include <splatwright/error.h>
#include <splatwright/scene.h>

/// Pictures of splats, into the memory of the host.
///
///     splatwright::Renderer renderer(device, splatwright::readSplats("splats.ply"));
///     const splatwright::ImageF image = renderer.render(camera);
namespace splatwright {

struct RenderOptions {
    Vec3f background{0, 0, 0};  ///< RGB behind the splats, 0 to 1
};

/// Splats on a device, and the memory that drawing them takes. That memory is kept from image to image and only grows: a path of cameras of one size
/// allocates for its first images, and later ones reuse it. For one thread at a time.
class Renderer {
public:
    /// Uploads the splats, which need not be kept. Throws InputError if the lengths of their arrays do not fit; OutOfMemory.
    Renderer(Device& device, const Splats& splats);
    ~Renderer();
    Renderer(Renderer&& other) noexcept;
    Renderer& operator=(Renderer&& other) noexcept;

    /// Draws other splats from now on, in the same memory if there are not more of them than ever before. Throws like the constructor; after
    /// InputError the splats are those of before, after OutOfMemory there are none.
    void setSplats(const Splats& splats);

    /// One image of 3 channels, to the last bit as `splatwright render --camera` has it before rounding. Splats nearer than 0.01 scene units are not
    /// drawn. Throws InputError for a camera as Camera says or a background outside of 0 to 1; OutOfMemory, DeviceLost.
    ImageF render(const Camera& camera, const RenderOptions& options = {});

    /// Takes each image of a path, which it may keep, with its index. False ends the path.
    using OnImage = std::function<bool(size_t index, ImageF image)>;

    /// Renders a path of cameras, of one size or several, in their order; returns how many images it has given. All cameras are checked before the first
    /// is rendered. Throws like render(), naming the camera's index.
    size_t renderPath(std::span<const Camera> path, const OnImage& onImage, const RenderOptions& options = {});

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace splatwright
