#include "view/pictures.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/ranges.h>

#include "core/error.h"

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
               .show = kShowMean},
    PictureRow{
        .name = "alpha", .label = "Alpha", .help = "how much of the background is hidden", .paint = kPaintNothing, .show = kShowCoverage},
    PictureRow{.name = "splats",
               .label = "Splats a pixel",
               .help = "how many splats each pixel blends",
               .paint = kPaintNothing,
               .walk = PictureWalk::count,
               .show = kShowCount},
    PictureRow{.name = "tile-splats",
               .label = "Splats a tile",
               .help = "how many splats are listed in each tile of 16x16 pixels",
               .paint = kPaintNothing,
               .show = kShowListed},
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
               .show = kShowMean},
    PictureRow{.name = "radius",
               .label = "Screen radius",
               .help = "half the size of each splat on the screen, pixels",
               .paint = kPaintRadius,
               .show = kShowMean},
    PictureRow{.name = "error",
               .label = "Error",
               .help = "mean distance of the three channels from the photograph; selected splats count as they are tinted",
               .need = PictureNeed::photograph,
               .show = kShowError}};

constexpr auto kPictureNames = [] {
    std::array<std::string_view, kPictures.size()> names;
    std::ranges::transform(kPictures, names.begin(), &PictureRow::name);
    return names;
}();

constexpr std::array<std::string_view, 2> kColourMaps{"turbo", "viridis"};
static_assert(kMapTurbo == 0 && kMapViridis == 1);

uint32_t colourMapByName(std::string_view name) {
    const auto* const found = std::ranges::find(kColourMaps, name);
    if (found == kColourMaps.end()) throw InputError("colour_map is '{}', expected {}", name, fmt::join(kColourMaps, " or "));
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
