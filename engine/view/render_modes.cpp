#include <splatwright/view/render_modes.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/ranges.h>

#include <splatwright/core/error.h>

namespace splat {

namespace {

using namespace shared;

constexpr std::array kRenderModes{
    RenderMode{.name = "colour", .label = "Colour", .help = "Splat colours"},
    RenderMode{.name = "models", .label = "Models", .help = "One colour per model", .paint = kPaintModel},
    RenderMode{.name = "depth",
               .label = "Depth",
               .help = "Mean depth, weighted by contribution",
               .paint = kPaintDepth,
               .show = kShowMean,
               .unit = "world units",
               .channel = "Z"},
    RenderMode{.name = "normal",
               .label = "Normal",
               .help = "Direction of the splats' shortest axes: red to the right, green up, blue towards the camera",
               .paint = kPaintNormal,
               .show = kShowNormal},
    RenderMode{.name = "alpha",
               .label = "Alpha",
               .help = "Opacity of the pixel (1 - transmittance)",
               .paint = kPaintNothing,
               .show = kShowCoverage,
               .channel = "A",
               .fromZero = true},
    RenderMode{.name = "splats",
               .label = "Splats per pixel",
               .help = "Number of splats blended per pixel",
               .paint = kPaintNothing,
               .traversal = TileTraversal::count,
               .show = kShowCount,
               .fromZero = true},
    RenderMode{.name = "tile-splats",
               .label = "Splats per tile",
               .help = "Number of splats listed per tile of 16x16 pixels",
               .paint = kPaintNothing,
               .show = kShowListed,
               .fromZero = true},
    RenderMode{.name = "tiles", .label = "Tiles", .help = "Colour with tile borders", .show = kShowTiles},
    RenderMode{.name = "opacity",
               .label = "Opacity",
               .help = "Mean opacity of splats, weighted by contribution",
               .paint = kPaintOpacity,
               .show = kShowMean},
    RenderMode{.name = "ellipsoids",
               .label = "Ellipsoids",
               .help = "Opaque, shaded ellipsoids at ellipsoid_size standard deviations",
               .shape = kShapeEllipsoid,
               .traversal = TileTraversal::nearest},
    RenderMode{.name = "centres",
               .label = "Centres",
               .help = "A disc at each splat's centre, depth-tested",
               .shape = kShapeDisc,
               .traversal = TileTraversal::nearest},
    RenderMode{.name = "gradient",
               .label = "Gradient",
               .help = "Mean screen-space positional gradient since the last densification, which decides about splits",
               .need = RenderModeNeed::gradients,
               .paint = kPaintGradient,
               .show = kShowMean,
               .fromZero = true},
    RenderMode{.name = "radius",
               .label = "Screen radius",
               .help = "Screen radius of splats, pixels",
               .paint = kPaintRadius,
               .show = kShowMean,
               .unit = "pixels"},
    RenderMode{.name = "error",
               .label = "Error",
               .help = "Mean absolute difference from the ground truth over the three channels",
               .need = RenderModeNeed::groundTruth,
               .show = kShowError,
               .fromZero = true}};

constexpr auto kRenderModeNames = [] {
    std::array<std::string_view, kRenderModes.size()> names;
    std::ranges::transform(kRenderModes, names.begin(), &RenderMode::name);
    return names;
}();

constexpr std::array<std::string_view, 3> kColourMaps{"inferno", "turbo", "viridis"};
constexpr std::array<std::string_view, 2> kRangeSpans{"extremes", "percentiles"};
constexpr std::array<std::string_view, 2> kValueScales{"linear", "logarithmic"};
static_assert(kColourMapInferno == 0 && kColourMapTurbo == 1 && kColourMapViridis == 2);

/// Polynomial coefficients of the colour maps, highest power first: shaders/lib/view/colour_maps.slang has their sources.
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

std::vector<std::string> RenderMode::channels() const {
    if (isNumber()) return {std::string(channel)};
    if (show == kShowNormal) return {"N.X", "N.Y", "N.Z"};
    return {"R", "G", "B"};
}

std::span<const RenderMode> renderModes() { return kRenderModes; }

std::span<const std::string_view> renderModeNames() { return kRenderModeNames; }

std::span<const std::string_view> colourMapNames() { return kColourMaps; }

std::span<const std::string_view> rangeSpanNames() { return kRangeSpans; }

std::span<const std::string_view> valueScaleNames() { return kValueScales; }

bool spansPercentiles(const RenderSettings& settings) { return settings.rangeSpan == kRangeSpans[1]; }

bool isLogarithmic(const RenderSettings& settings) { return settings.valueScale == kValueScales[1]; }

std::pair<double, double> mappedRange(std::pair<double, double> range, bool logarithmic) {
    return {logarithmic ? std::max(range.first, range.second * kLeastLogarithmicPart) : range.first, range.second};
}

double placeInRange(double value, std::pair<double, double> range, bool logarithmic) {
    const auto [low, high] = range;
    if (!(high > low)) return 0;
    return logarithmic ? std::log(std::max(value, low) / low) / std::log(high / low) : (value - low) / (high - low);
}

double valueAtPlace(double place, std::pair<double, double> range, bool logarithmic) {
    const auto [low, high] = range;
    return logarithmic ? low * std::pow(high / low, place) : low + place * (high - low);
}

const RenderMode& renderModeByName(std::string_view name) {
    const auto* const row = std::ranges::find(kRenderModes, name, &RenderMode::name);
    if (row != kRenderModes.end()) return *row;
    throw InputError("unknown render mode '{}', expected one of {}", name, fmt::join(kRenderModeNames, ", "));
}

glm::vec3 mappedColour(double number, std::string_view colourMap) {
    const double x = std::clamp(number, 0.0, 1.0);
    glm::dvec3 value(0);
    for (const glm::dvec3& coefficient : kMapPolynomials[colourMapByName(colourMap)]) value = value * x + coefficient;
    return glm::clamp(value, 0.0, 1.0);
}

shared::PictureParameters pictureParameters(const RenderSettings& s, const RenderMode& mode, const Camera& camera) {
    return {
        .background = s.background,
        .split = static_cast<float>(s.split * camera.width),
        .sizeScale = static_cast<float>(s.sizeScale),
        .opacityMin = static_cast<float>(s.opacityMin),
        .opacityMax = static_cast<float>(s.opacityMax),
        .radiusMin = static_cast<float>(s.radiusMin),
        .radiusMax = s.radiusMax < RenderSettings::kAnyRadius ? static_cast<float>(s.radiusMax) : std::numeric_limits<float>::infinity(),
        .rangeLow = static_cast<float>(s.rangeLow),
        .rangeHigh = static_cast<float>(s.rangeHigh),
        .autoRange = s.autoRange ? 1u : 0u,
        .logarithmic = isLogarithmic(s) ? 1u : 0u,
        .colourMap = colourMapByName(s.colourMap),
        .shDegree = s.shDegree,
        .reach = static_cast<float>(mode.shape == kShapeDisc ? s.centreSize : s.ellipsoidSize),
        .focal = glm::vec2(camera.fx, camera.fy)};
}

}  // namespace splat
