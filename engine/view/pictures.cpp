#include "view/pictures.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/ranges.h>

#include "core/error.h"
#include "shared/colour_maps.h"

namespace splat {

namespace {

using namespace shared;

constexpr std::array kPictures{
    PictureRow{.name = "colour", .label = "Colour", .help = "the splats as they are"},
    PictureRow{.name = "models", .label = "Models", .help = "each model in shades of a colour of its own", .paint = kPaintModel},
    PictureRow{.name = "depth",
               .label = "Depth",
               .help = "mean distance along the view, by what each splat contributes",
               .paint = kPaintDepth,
               .show = kShowMean,
               .unit = "world units"},
    PictureRow{.name = "alpha",
               .label = "Alpha",
               .help = "how much of the background is hidden",
               .paint = kPaintNothing,
               .show = kShowCoverage,
               .fromZero = true},
    PictureRow{.name = "splats",
               .label = "Splats a pixel",
               .help = "how many splats each pixel blends",
               .paint = kPaintNothing,
               .walk = PictureWalk::count,
               .show = kShowCount,
               .fromZero = true},
    PictureRow{.name = "tile-splats",
               .label = "Splats a tile",
               .help = "how many splats are listed in each tile of 16x16 pixels",
               .paint = kPaintNothing,
               .show = kShowListed,
               .fromZero = true},
    PictureRow{.name = "tiles", .label = "Tiles", .help = "the colour with the tiles' borders", .show = kShowTiles},
    PictureRow{.name = "opacity",
               .label = "Opacity",
               .help = "the splats' own opacities, by what each contributes",
               .paint = kPaintOpacity,
               .show = kShowMean},
    PictureRow{.name = "ellipsoids",
               .label = "Ellipsoids",
               .help = "the surface at ellipsoid_size standard deviations, opaque and lit",
               .shape = kShapeEllipsoid,
               .walk = PictureWalk::nearest},
    PictureRow{.name = "centres",
               .label = "Centres",
               .help = "a disc at each splat's centre, the nearest in front",
               .shape = kShapeDisc,
               .walk = PictureWalk::nearest},
    PictureRow{.name = "gradient",
               .label = "Gradient",
               .help = "mean gradient of each splat's place on the image since the last refinement, which decides whether it is split",
               .need = PictureNeed::gradients,
               .paint = kPaintGradient,
               .show = kShowMean,
               .fromZero = true},
    PictureRow{.name = "radius",
               .label = "Screen radius",
               .help = "half the size of each splat on the screen, pixels",
               .paint = kPaintRadius,
               .show = kShowMean,
               .unit = "pixels"},
    PictureRow{.name = "error",
               .label = "Error",
               .help = "mean distance of the three channels from the photograph",
               .need = PictureNeed::photograph,
               .show = kShowError,
               .fromZero = true}};

constexpr auto kPictureNames = [] {
    std::array<std::string_view, kPictures.size()> names;
    std::ranges::transform(kPictures, names.begin(), &PictureRow::name);
    return names;
}();

constexpr std::array<std::string_view, 3> kColourMaps{"inferno", "turbo", "viridis"};
static_assert(kColourMapInferno == 0 && kColourMapTurbo == 1 && kColourMapViridis == 2);

/// Coefficients of the colour maps' polynomials, those of the highest power first: shaders/lib/colour_maps.slang has their sources.
constexpr std::array<std::array<glm::dvec3, 7>, 3> kMapPolynomials{{
    {{{25.13112622477341, -12.24266895238567, -23.07032500287172},
      {-71.31942824499214, 32.62606426397723, 73.20951985803202},
      {77.162935699427, -33.40235894210092, -81.80730925738993},
      {-41.70399613139459, 17.43639888205313, 44.35414519872813},
      {11.60249308247187, -3.972853965665698, -15.9423941062914},
      {0.1065134194856116, 0.5639564367884091, 3.932712388889277},
      {0.0002189403691192265, 0.001651004631001012, -0.01948089843709184}}},
    {{{0, 0, 0},
      {59.28637943, 2.82956604, 27.34824973},
      {-152.94239396, 4.27729857, -89.90310912},
      {132.13108234, -14.18503333, 110.36276771},
      {-42.66032258, 4.84296658, -60.58204836},
      {4.61539260, 2.19418839, 12.64194608},
      {0.13572138, 0.09140261, 0.10667330}}},
    {{{-5.435455855934631, 4.645852612178535, 26.3124352495832},
      {4.776384997670288, -13.74514537774601, -65.35303263337234},
      {6.228269936347081, 14.17993336680509, 56.69055260068105},
      {-4.634230498983486, -5.799100973351585, -19.33244095627987},
      {-0.3308618287255563, 0.214847559468213, 0.09509516302823659},
      {0.1050930431085774, 1.404613529898575, 1.384590162594685},
      {0.2777273272234177, 0.005407344544966578, 0.3340998053353061}}},
}};

uint32_t colourMapByName(std::string_view name) {
    const auto* const found = std::ranges::find(kColourMaps, name);
    if (found == kColourMaps.end()) throw InputError("colour_map is '{}', expected one of {}", name, fmt::join(kColourMaps, ", "));
    return static_cast<uint32_t>(found - kColourMaps.begin());
}

}  // namespace

std::span<const PictureRow> pictureTable() { return kPictures; }

std::span<const std::string_view> pictureNames() { return kPictureNames; }

std::span<const std::string_view> colourMapNames() { return kColourMaps; }

const PictureRow& pictureByName(std::string_view name) {
    const auto* const row = std::ranges::find(kPictures, name, &PictureRow::name);
    if (row != kPictures.end()) return *row;
    throw InputError("there is no picture '{}', expected one of {}", name, fmt::join(kPictureNames, ", "));
}

glm::vec3 mappedColour(double number, std::string_view colourMap) {
    const double x = std::clamp(number, 0.0, 1.0);
    glm::dvec3 value(0);
    for (const glm::dvec3& coefficient : kMapPolynomials[colourMapByName(colourMap)]) value = value * x + coefficient;
    return glm::clamp(value, 0.0, 1.0);
}

shared::PictureParameters pictureParameters(const PictureSettings& s, const PictureRow& row, const Camera& camera) {
    return {
        .background = s.background,
        .split = static_cast<float>(s.split * camera.width),
        .sizeScale = static_cast<float>(s.sizeScale),
        .opacityMin = static_cast<float>(s.opacityMin),
        .opacityMax = static_cast<float>(s.opacityMax),
        .radiusMin = static_cast<float>(s.radiusMin),
        .radiusMax = s.radiusMax < PictureSettings::kAnyRadius ? static_cast<float>(s.radiusMax) : std::numeric_limits<float>::infinity(),
        .rangeLow = static_cast<float>(s.rangeLow),
        .rangeHigh = static_cast<float>(s.rangeHigh),
        .autoRange = s.autoRange ? 1u : 0u,
        .colourMap = colourMapByName(s.colourMap),
        .shDegree = s.shDegree,
        .reach = static_cast<float>(row.shape == kShapeDisc ? s.centreSize : s.ellipsoidSize),
        .focal = glm::vec2(camera.fx, camera.fy)};
}

}  // namespace splat
