#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include <splatwright/scene/gaussians/point.h>
#include <splatwright/scene/photographs/photographs.h>

namespace splat {

/// How much photographs of a scene differ in colour from shot to shot, as by exposure or white balance.
struct ColourVariation {
    size_t photographs = 0;            ///< with a colourOffset()
    std::optional<double> difference;  ///< relative, root mean square; none for fewer than kFewestCompared such photographs

    static constexpr size_t kFewestCompared = 10;
};

/// Compares each photograph's colourOffset() with the mean of the three that were taken nearest to it in position and direction, so that brightness
/// that follows the camera does not count. What the offsets' variances explain is subtracted, and the tenth that differs most is left out, as
/// photographs with wrong poses. Cameras are in the training frame, whose cameras are about one unit from its centre. Points of a single colour
/// have none.
ColourVariation colourVariation(std::span<const Photograph> photographs, std::span<const Point> points);

}  // namespace splat
