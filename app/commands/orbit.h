#pragma once

#include <vector>

#include <splatwright/scene/extent.h>
#include <splatwright/scene/image_file.h>
#include <splatwright/scene/named_view.h>

namespace splat::app {

/// Cameras on a circle around the splats, looking at their centre from a distance that shows most of them.
std::vector<NamedView> orbitViews(const Extent& extent, size_t views, ImageSize size, const glm::dvec3& up);

}  // namespace splat::app
