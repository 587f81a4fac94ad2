#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <glm/glm.hpp>

#include <splatwright/core/setting.h>
#include <splatwright/scene/cameras/camera.h>
#include <splatwright/shared/viewer.h>

namespace splat {

/// Values of RenderSettings::picture and colourMap.
std::span<const std::string_view> renderModeNames();
std::span<const std::string_view> colourMapNames();
/// Values of RenderSettings::rangeSpan and valueScale.
std::span<const std::string_view> rangeSpanNames();
std::span<const std::string_view> valueScaleNames();

/// The user's settings for drawing a world.
struct RenderSettings {
    static constexpr double kAnyRadius = 1e6;
    static constexpr double kAnyNumber = 1e12;

    std::string picture =
        setting(&picture, "render_mode", "colour", {.help = "Render mode", .group = "picture", .choices = renderModeNames()});
    glm::vec3 background =
        setting(&background, "background", {0, 0, 0},
                {.help = "Background colour behind the splats", .group = "picture", .unit = "R,G,B", .min = 0, .max = 1});
    uint32_t shDegree = setting(&shDegree, "sh_degree", 3, {.help = "Maximum SH degree", .group = "picture", .min = 0, .max = 3});
    double split = setting(&split, "compare_slider", 1,
                           {.help = "Position of the compare slider; the training image is shown right of it",
                            .group = "picture",
                            .unit = "image widths",
                            .min = 0,
                            .max = 1});

    double sizeScale =
        setting(&sizeScale, "size_scale", 1, {.help = "Scale factor of all splats", .group = "splats", .min = 0.01, .max = 4});
    double opacityMin =
        setting(&opacityMin, "opacity_min", 0, {.help = "Hide splats of lower opacity", .group = "splats", .min = 0, .max = 1});
    double opacityMax =
        setting(&opacityMax, "opacity_max", 1, {.help = "Hide splats of higher opacity", .group = "splats", .min = 0, .max = 1});
    double radiusMin =
        setting(&radiusMin, "radius_min", 0,
                {.help = "Hide splats of smaller screen radius", .group = "splats", .unit = "pixels", .min = 0, .max = kAnyRadius});
    double radiusMax =
        setting(&radiusMax, "radius_max", kAnyRadius,
                {.help = "Hide splats of larger screen radius", .group = "splats", .unit = "pixels", .min = 0, .max = kAnyRadius});
    double ellipsoidSize = setting(
        &ellipsoidSize, "ellipsoid_size", 1,
        {.help = "Radius of ellipsoids in that render mode", .group = "splats", .unit = "standard deviations", .min = 0.25, .max = 3});
    double centreSize =
        setting(&centreSize, "centre_size", 1.5,
                {.help = "Radius of points in render mode `centres`", .group = "splats", .unit = "pixels", .min = 0.75, .max = 16});

    std::string colourMap = setting(&colourMap, "colour_map", "inferno",
                                    {.help = "Colour map of scalar render modes", .group = "numbers", .choices = colourMapNames()});
    bool autoRange = setting(&autoRange, "auto_range", true, {.help = "Fit the colour map's range to every frame", .group = "numbers"});
    std::string rangeSpan = setting(
        &rangeSpan, "range_span", "extremes",
        {.help = "What auto_range spans: all values, or their 1st to 99th percentile", .group = "numbers", .choices = rangeSpanNames()});
    std::string valueScale = setting(
        &valueScale, "value_scale", "linear",
        {.help = "Scale of the colour map; logarithmic over at most four decades", .group = "numbers", .choices = valueScaleNames()});
    double rangeLow =
        setting(&rangeLow, "range_low", 0,
                {.help = "Lower end of the colour map without auto_range", .group = "numbers", .min = -kAnyNumber, .max = kAnyNumber});
    double rangeHigh =
        setting(&rangeHigh, "range_high", 1,
                {.help = "Upper end of the colour map without auto_range", .group = "numbers", .min = -kAnyNumber, .max = kAnyNumber});

    bool operator==(const RenderSettings&) const = default;
};

/// What a render mode, or a quantity of splats, cannot be shown without.
enum class RenderModeNeed { nothing, groundTruth, gradients };
enum class TileTraversal { blend, count, nearest };

/// A way to draw a world: each row is a value of RenderSettings::picture, an entry of the viewer's list and a test parameter.
struct RenderMode {
    std::string_view name;
    std::string_view label;
    std::string_view help;
    RenderModeNeed need = RenderModeNeed::nothing;
    uint32_t paint = shared::kPaintColour;           ///< attribute that is blended
    uint32_t shape = shared::kShapeSplat;            ///< shape that is drawn per Gaussian
    TileTraversal traversal = TileTraversal::blend;  ///< how a pixel iterates over its tile's list
    uint32_t show = shared::kShowColour;             ///< output per pixel
    std::string_view unit = "";                      ///< of the values; "": none
    std::string_view channel = "Y";                  ///< of a number in a file with named channels, by OpenEXR's conventions
    bool fromZero = false;                           ///< automatic ranges start at zero, which is black

    /// Whether it shows values through a colour map.
    bool isNumber() const { return !tints() && show != shared::kShowNormal; }
    /// Whether selected Gaussians are tinted: not in modes with values, which that would change.
    bool tints() const { return show == shared::kShowColour || show == shared::kShowTiles; }
    /// Names of the channels of its values (PictureReader): of one number, or of three.
    std::vector<std::string> channels() const;
};

std::span<const RenderMode> renderModes();

/// Throws InputError listing the known names.
const RenderMode& renderModeByName(std::string_view name);

/// Whether automatic ranges are from percentile to percentile, and whether the colour map spreads over logarithms.
bool spansPercentiles(const RenderSettings& settings);
bool isLogarithmic(const RenderSettings& settings);

/// The range that the colour map spreads over, of a range that was chosen or found: that of logarithms leaves out zero.
std::pair<double, double> mappedRange(std::pair<double, double> range, bool logarithmic);
/// Where a value lies in a mappedRange(), from 0 to 1 inside; and the value that lies there.
double placeInRange(double value, std::pair<double, double> range, bool logarithmic);
double valueAtPlace(double place, std::pair<double, double> range, bool logarithmic);

/// The colour of a value, 0..1 of the range. Throws InputError for an unknown colour map.
glm::vec3 mappedColour(double number, std::string_view colourMap);

/// Kernel parameters of the settings for a mode and a camera. Throws InputError for an unknown colour map.
shared::PictureParameters pictureParameters(const RenderSettings& settings, const RenderMode& mode, const Camera& camera);

}  // namespace splat
