#pragma once

#include <string>

#include <splatwright/core/image.h>
#include <splatwright/scene.h>
#include <splatwright/scene/cameras/camera.h>
#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/scene/gaussians/gaussians.h>

namespace splatwright {

// Between public values and the engine's, which have the same bits. Those for the engine throw its InputError if a value is not as the public headers
// say; `where` starts the message.

splat::Gaussians engineSplats(const Splats& splats);
/// Frees each array once it is copied: a model may need gigabytes.
Splats publicSplats(splat::Gaussians gaussians);

splat::Camera engineCamera(const Camera& camera, const std::string& where);
Camera publicCamera(const splat::Camera& camera);

splat::DatasetOptions engineReading(const DatasetOptions& options);

inline glm::dvec3 engineVector(const Vec3d& v) { return {v[0], v[1], v[2]}; }
inline Vec3d publicVector(const glm::dvec3& v) { return {v.x, v.y, v.z}; }

template <class T>
Image<T> publicImage(splat::Image<T> image) {
    return {image.width, image.height, image.channels, std::move(image.pixels)};
}

/// Copies the pixels.
template <class T>
splat::Image<T> engineImage(const Image<T>& image);

}  // namespace splatwright
