#pragma once

#include <splatwright/scene/photographs/photographs.h>

namespace splat {

/// An image of the photograph's size in its mean colour, over the pixels that its mask counts: what has the least squared error of all flat
/// pictures.
Image8 flatPicture(const Photograph& photograph, glm::vec3 background);

/// The least mean absolute difference that a flat picture can have from the photograph, over all pixels and channels, 0..1: that of the median
/// colour. Masked pixels count as correct.
double flatError(const Photograph& photograph, glm::vec3 background);

}  // namespace splat
