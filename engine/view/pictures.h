#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <glm/glm.hpp>

#include "core/setting.h"
#include "scene/camera.h"
#include "shared/structs.h"

namespace splat {

/// What PictureSettings::picture and colourMap may be.
std::span<const std::string_view> pictureNames();
std::span<const std::string_view> colourMapNames();

/// What a person chooses of how a world is drawn.
struct PictureSettings {
    static constexpr double kAnyRadius = 1e6;
    static constexpr double kAnyNumber = 1e12;

    std::string picture = "colour";
    glm::vec3 background{0, 0, 0};
    uint32_t shDegree = 3;
    double sizeScale = 1;
    double opacityMin = 0;
    double opacityMax = 1;
    double radiusMin = 0;
    double radiusMax = kAnyRadius;
    std::string colourMap = "inferno";
    bool autoRange = true;
    double rangeLow = 0;
    double rangeHigh = 1;
    double ellipsoidSize = 1;
    double centreSize = 1.5;
    double split = 1;

    bool operator==(const PictureSettings&) const = default;

    template <class Visitor>
    void visit(Visitor&& v) {
        v("picture", picture, Setting{.help = "what is shown", .group = "picture", .choices = pictureNames()});
        v("background", background, Setting{.help = "colour behind the splats", .group = "picture", .unit = "R,G,B", .min = 0, .max = 1});
        v("sh_degree", shDegree, Setting{.help = "highest SH degree that is evaluated", .group = "picture", .min = 0, .max = 3});
        v("split", split,
          Setting{.help = "right of this the photograph shows, where there is one",
                  .group = "picture",
                  .unit = "of the width",
                  .min = 0,
                  .max = 1});

        v("size_scale", sizeScale,
          Setting{.help = "standard deviations are drawn so many times as large", .group = "splats", .min = 0.01, .max = 4});
        v("opacity_min", opacityMin, Setting{.help = "fainter splats are left out", .group = "splats", .min = 0, .max = 1});
        v("opacity_max", opacityMax, Setting{.help = "more opaque splats are left out", .group = "splats", .min = 0, .max = 1});
        v("radius_min", radiusMin,
          Setting{.help = "splats smaller on the screen are left out", .group = "splats", .unit = "pixels", .min = 0, .max = kAnyRadius});
        v("radius_max", radiusMax,
          Setting{.help = "splats larger on the screen are left out", .group = "splats", .unit = "pixels", .min = 0, .max = kAnyRadius});
        v("ellipsoid_size", ellipsoidSize,
          Setting{.help = "of the picture of ellipsoids", .group = "splats", .unit = "standard deviations", .min = 0.25, .max = 3});
        v("centre_size", centreSize,
          Setting{.help = "radius of the discs in the picture of centres", .group = "splats", .unit = "pixels", .min = 0.75, .max = 16});

        v("colour_map", colourMap, Setting{.help = "of pictures of numbers", .group = "numbers", .choices = colourMapNames()});
        v("auto_range", autoRange,
          Setting{.help = "the colour map spreads from zero, or a picture's least number, to its largest", .group = "numbers"});
        v("range_low", rangeLow, Setting{.help = "without auto_range: the number at the colour map's lower end",
                  .group = "numbers",
                  .min = -kAnyNumber,
                  .max = kAnyNumber});
        v("range_high", rangeHigh,
          Setting{.help = "and at its upper end", .group = "numbers", .min = -kAnyNumber, .max = kAnyNumber});
    }
};

enum class PictureNeed { nothing, photograph, gradients };
enum class PictureWalk { blend, count, nearest };

/// A picture that a world can be drawn as: a row here is the value of PictureSettings::picture, an entry of the viewer's list and a test
/// parameter.
struct PictureRow {
    std::string_view name;
    std::string_view label;
    std::string_view help;
    PictureNeed need = PictureNeed::nothing;
    uint32_t paint = shared::kPaintColour;  ///< what gaussians carry to the pixels
    uint32_t shape = shared::kShapeSplat;   ///< what is drawn of them
    PictureWalk walk = PictureWalk::blend;  ///< how a pixel goes through its tile's list
    uint32_t show = shared::kShowColour;    ///< what is shown of a pixel
    std::string_view unit = "";             ///< of its numbers; "": they have none
    bool fromZero = false;                  ///< a heat map: an automatic range starts at zero, which is black

    /// Whether it is a number through a colour map.
    bool isNumber() const { return show != shared::kShowColour && show != shared::kShowTiles; }
    /// Whether selected gaussians are tinted: not in numbers, which that would change.
    bool tints() const { return !isNumber(); }
};

std::span<const PictureRow> pictureTable();

/// Throws InputError listing the known names.
const PictureRow& pictureByName(std::string_view name);

/// The colour of a number, 0..1 of the range, as pictures show it. Throws InputError for an unknown colour map.
glm::vec3 mappedColour(double number, std::string_view colourMap);

/// The settings as kernels want them, for a picture of the row from the camera. Throws InputError for an unknown colour map.
shared::PictureParameters pictureParameters(const PictureSettings& settings, const PictureRow& row, const Camera& camera);

}  // namespace splat
