#pragma once

#include <vector>

#include "scene/extent.h"
#include "scene/image_file.h"
#include "viewer/named_view.h"

namespace splat::app {

/// Cameras on a circle around the splats, looking at their centre from far enough to see most of them.
std::vector<NamedView> orbitViews(const Extent& extent, size_t views, ImageSize size, const glm::dvec3& up);

}  // namespace splat::app
