#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// The splats of these indices, in their order.
Gaussians selected(const Gaussians& from, std::span<const uint32_t> indices);

/// Splats [first, first + count).
Gaussians slice(const Gaussians& from, size_t first, size_t count);

/// The splats for which keeps(from, index) holds, in order. It is called from several threads.
Gaussians filtered(Gaussians from, const std::function<bool(const Gaussians&, size_t)>& keeps);

}  // namespace splat
