#pragma once

#include <vector>

#include <splatwright/scene/cameras/named_view.h>
#include <splatwright/scene/gaussians/extent.h>
#include <splatwright/scene/images/image_file.h>

namespace splat {

/// Cameras on a circle around the splats, looking at their centre from a distance that shows most of them.
std::vector<NamedView> orbitViews(const Extent& extent, size_t views, ImageSize size, const glm::dvec3& up);

}  // namespace splat
