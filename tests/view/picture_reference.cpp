#include "picture_reference.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace splat {

namespace {

constexpr glm::dvec3 kTint(1, 0.55, 0);  // shaders/lib/view/marks.slang

glm::dvec3 tinted(const glm::dvec3& colour) { return glm::mix(colour, kTint, 0.6); }

double horner(std::initializer_list<double> highestFirst, double x) {
    double value = 0;
    for (const double coefficient : highestFirst) value = value * x + coefficient;
    return std::clamp(value, 0.0, 1.0);
}

glm::dvec3 turbo(double x) {
    return {horner({59.28637943, -152.94239396, 132.13108234, -42.66032258, 4.61539260, 0.13572138}, x),
            horner({2.82956604, 4.27729857, -14.18503333, 4.84296658, 2.19418839, 0.09140261}, x),
            horner({27.34824973, -89.90310912, 110.36276771, -60.58204836, 12.64194608, 0.10667330}, x)};
}

glm::dvec3 inferno(double x) {
    return {horner({25.13112622, -71.31942825, 77.16293570, -41.70399613, 11.60249308, 0.10651342, 0.00021894}, x),
            horner({-12.24266895, 32.62606426, -33.40235894, 17.43639888, -3.97285397, 0.56395644, 0.00165100}, x),
            horner({-23.07032500, 73.20951986, -81.80730926, 44.35414520, -15.94239411, 3.93271239, -0.01948090}, x)};
}

glm::dvec2 centreOf(glm::ivec2 pixel) { return glm::dvec2(pixel) + 0.5; }

Expected blended(const Ingredients& in, glm::ivec2 pixel, const std::function<glm::dvec3(size_t)>& colourOf) {
    const auto walk = trace(in, pixel);
    Expected e{walk.transmittance * glm::dvec3(in.settings.background), walk.nearCut, 1 - walk.transmittance};
    for (const auto& c : walk.contributions) e.colour += colourOf(c.splat) * c.alpha.value * c.transmittance;
    return e;
}

Expected colour(const Ingredients& in, glm::ivec2 pixel) {
    return blended(in, pixel, [&](size_t i) { return in.selected ? tinted(in.projected[i].colour) : in.projected[i].colour; });
}

glm::dvec3 mapped(const Ingredients& in, double number) {
    const double place = std::clamp((number - in.settings.rangeLow) / (in.settings.rangeHigh - in.settings.rangeLow), 0.0, 1.0);
    return in.settings.colourMap == "turbo" ? turbo(place) : inferno(place);
}

Expected number(const Ingredients& in, glm::ivec2 pixel, double value) {
    const auto walk = trace(in, pixel);
    return {mapped(in, value), walk.nearCut, 1 - walk.transmittance};
}

/// Mean of what the splats carry, over the background.
Picture mean(std::function<double(const Ingredients&, size_t)> carried) {
    return [carried](const Ingredients& in, glm::ivec2 pixel) -> Expected {
        const auto walk = trace(in, pixel);
        const double coverage = 1 - walk.transmittance;
        const glm::dvec3 background = in.settings.background;
        if (walk.contributions.empty()) return {background, walk.nearCut};
        double sum = 0;
        for (const auto& c : walk.contributions) sum += carried(in, c.splat) * c.alpha.value * c.transmittance;
        return {glm::mix(background, mapped(in, sum / coverage), coverage), walk.nearCut, coverage};
    };
}

/// Over black, and what is left of it at length 1 over the background.
Expected normal(const Ingredients& in, glm::ivec2 pixel) {
    const auto walk = trace(in, pixel);
    glm::dvec3 sum(0);
    for (const auto& c : walk.contributions) sum += in.projected[c.splat].normal * c.alpha.value * c.transmittance;
    const glm::dvec3 n = walk.contributions.empty() ? sum : glm::normalize(sum);
    const double coverage = 1 - walk.transmittance;
    return {glm::mix(glm::dvec3(in.settings.background), 0.5 + 0.5 * glm::dvec3(n.x, -n.y, -n.z), coverage), walk.nearCut, coverage};
}

Expected tiles(const Ingredients& in, glm::ivec2 pixel) {
    Expected e = colour(in, pixel);
    if (pixel.x % 16 != 0 && pixel.y % 16 != 0) return e;
    const glm::dvec3 clamped = glm::clamp(e.colour, 0.0, 1.0);
    for (int k = 0; k < 3; ++k) e.open |= std::abs(clamped[k] - 0.5) < 1e-3;
    e.colour = glm::mix(e.colour, 1.0 - glm::round(clamped), 0.5);
    return e;
}

Expected error(const Ingredients& in, glm::ivec2 pixel) {
    Expected e = blended(in, pixel, [&](size_t i) { return in.projected[i].colour; });
    const auto index = static_cast<size_t>(pixel.y * in.camera.width + pixel.x);
    const glm::dvec3 difference = glm::abs(glm::clamp(e.colour, 0.0, 1.0) - glm::dvec3(channelsOf(in.groundTruth[index])) / 255.0);
    e.colour = mapped(in, (difference.x + difference.y + difference.z) / 3);
    return e;
}

Expected centres(const Ingredients& in, glm::ivec2 pixel) {
    Expected e{in.settings.background};
    for (const size_t i : in.order) {
        const double distance = glm::distance(in.projected[i].mean, centreOf(pixel));
        e.open |= std::abs(distance - in.settings.centreSize) < 1e-3;
        if (distance > in.settings.centreSize) continue;
        e.colour = in.selected ? tinted(in.projected[i].colour) : in.projected[i].colour;
        e.share = 1;
        break;
    }
    return e;
}

/// Covariance of a splat in (x, y, depth): pixels, pixels, world units. The image's part is dilated.
glm::dmat3 coneCovariance(const Ingredients& in, size_t i) {
    const auto splats = reference::fromGaussians(part(in.gaussians, i, i + 1));
    const glm::dvec3 point = in.camera.rotation * splats.means[0] + in.camera.translation;
    const glm::dmat3 turn = reference::rotationMatrix(glm::normalize(splats.rotations[0]));
    const glm::dvec3 s = glm::exp(splats.logScales[0]);
    const glm::dmat3 spread = in.camera.rotation * glm::dmat3(turn[0] * s.x, turn[1] * s.y, turn[2] * s.z);
    const glm::dmat3x2 j = reference::projectionJacobian(point, reference::clampedRatio(point, in.camera), in.camera);
    const glm::dmat3 toCone(glm::dvec3(j[0], 0), glm::dvec3(j[1], 0), glm::dvec3(j[2], 1));
    const glm::dmat3 axes = toCone * spread;
    glm::dmat3 covariance = axes * glm::transpose(axes);
    covariance[0][0] += reference::kDilation;
    covariance[1][1] += reference::kDilation;
    return covariance;
}

struct Hit {
    double depth = 0;
    glm::dvec2 slope{0};
    bool atRim = false;
};

/// Where the pixel sees the surface v C^-1 v = reach^2, by solving for the depth.
std::optional<Hit> surface(const glm::dmat3& inverse, glm::dvec2 d, double depth, double reach) {
    const double a = inverse[2][2], b = inverse[0][2] * d.x + inverse[1][2] * d.y;
    const double c = inverse[0][0] * d.x * d.x + 2 * inverse[0][1] * d.x * d.y + inverse[1][1] * d.y * d.y - reach * reach;
    const double discriminant = b * b - a * c;
    if (discriminant < 0) return std::nullopt;
    const double z = (-b - std::sqrt(discriminant)) / a;
    const glm::dvec3 normal = inverse * glm::dvec3(d, z);
    return Hit{depth + z, -glm::dvec2(normal) / normal.z, discriminant < 0.02 * a * reach * reach};
}

Expected ellipsoids(const Ingredients& in, glm::ivec2 pixel) {
    std::optional<Hit> nearest;
    size_t winner = 0;
    Expected e{in.settings.background};
    for (const size_t i : in.order) {
        const glm::dvec2 d = centreOf(pixel) - in.projected[i].mean;
        if (glm::length(d) > 3 * largestExtent(in.projected[i]) + 3) continue;
        const auto hit = surface(glm::inverse(coneCovariance(in, i)), d, in.projected[i].depth, in.settings.ellipsoidSize);
        const double q =
            in.projected[i].conic.x * d.x * d.x + 2 * in.projected[i].conic.y * d.x * d.y + in.projected[i].conic.z * d.y * d.y;
        e.open |= std::abs(q - in.settings.ellipsoidSize * in.settings.ellipsoidSize) < 1e-2;
        if (!hit) continue;
        if (nearest) e.open |= std::abs(hit->depth - nearest->depth) < 1e-4;
        if (nearest && hit->depth >= nearest->depth) continue;
        nearest = hit;
        winner = i;
    }
    if (!nearest) return e;
    const size_t first = winner * shCoefficients(in.gaussians.shDegree);
    glm::dvec3 base = glm::max(0.5 + 0.28209479177387814 * glm::dvec3(in.gaussians.sh[first]), 0.0);
    if (in.selected) base = tinted(base);
    const glm::dvec2 tilt = nearest->slope * glm::dvec2(in.camera.fx, in.camera.fy) / nearest->depth;
    e.open |= nearest->atRim;
    e.share = 1;
    e.colour = base * (0.25 + 0.75 / std::sqrt(1 + glm::dot(tilt, tilt)));
    return e;
}

Expected models(const Ingredients& in, glm::ivec2 pixel) {
    return blended(in, pixel, [&](size_t i) {
        const double luminance = glm::dot(in.projected[i].colour, glm::dvec3(0.2126, 0.7152, 0.0722));
        const glm::dvec3 shade = in.tint * (0.25 + 0.75 * std::clamp(luminance, 0.0, 1.0));
        return in.selected ? tinted(shade) : shade;
    });
}

Expected listed(const Ingredients& in, glm::ivec2 pixel) {
    const int across = (in.camera.width + 15) / 16;
    return number(in, pixel, in.listed[static_cast<size_t>(pixel.y / 16 * across + pixel.x / 16)]);
}

enum class Selected { no, yes, unsure };

/// Whether a pixel counts as selected; unsure where single precision may say otherwise. Beyond the picture nothing is.
Selected selectedAt(const std::vector<Expected>& pixels, glm::ivec2 size, glm::ivec2 at) {
    constexpr double kShare = 0.1;  // shaders/viewer/outline_selection.slang
    if (at.x < 0 || at.y < 0 || at.x >= size.x || at.y >= size.y) return Selected::no;
    const Expected& e = pixels[static_cast<size_t>(at.y * size.x + at.x)];
    const bool isSurface = e.share == 0 || e.share == 1;
    if (isSurface ? e.open : std::abs(e.share - kShare) < (e.open ? 0.01 : 1e-4)) return Selected::unsure;
    return e.share >= kShare ? Selected::yes : Selected::no;
}

/// Whether there is such a pixel within a radius.
Selected anyNear(const std::vector<Expected>& pixels, glm::ivec2 size, glm::ivec2 at, int radius, Selected wanted) {
    Selected found = Selected::no;
    for (int y = -radius; y <= radius; ++y) {
        for (int x = -radius; x <= radius; ++x) {
            if (x * x + y * y > radius * radius) continue;
            const Selected there = selectedAt(pixels, size, at + glm::ivec2(x, y));
            if (there == wanted) return Selected::yes;
            if (there == Selected::unsure) found = Selected::unsure;
        }
    }
    return found;
}

/// White inside the selection's border, black outside.
std::vector<Expected> outlined(const std::vector<Expected>& pixels, glm::ivec2 size, int width) {
    std::vector<Expected> result = pixels;
    for (int y = 0; y < size.y; ++y) {
        for (int x = 0; x < size.x; ++x) {
            Expected& e = result[static_cast<size_t>(y * size.x + x)];
            const Selected own = selectedAt(pixels, size, {x, y});
            const bool inside = own == Selected::yes;
            const Selected edge = anyNear(pixels, size, {x, y}, inside ? width : (width + 1) / 2, inside ? Selected::no : Selected::yes);
            if (own == Selected::unsure || edge == Selected::unsure) e.open = true;
            if (edge == Selected::yes) e.colour = glm::dvec3(inside ? 1 : 0);
            if (own != Selected::unsure && edge == Selected::yes) e.open = false;
        }
    }
    return result;
}

const std::map<std::string_view, Picture> kReferences{
    {"colour", colour},
    {"models", models},
    {"depth", mean([](const Ingredients& in, size_t i) { return in.projected[i].depth; })},
    {"normal", normal},
    {"alpha", [](const Ingredients& in, glm::ivec2 p) { return number(in, p, 1 - trace(in, p).transmittance); }},
    {"splats", [](const Ingredients& in, glm::ivec2 p) { return number(in, p, static_cast<double>(trace(in, p).contributions.size())); }},
    {"tile-splats", listed},
    {"tiles", tiles},
    {"opacity", mean([](const Ingredients& in, size_t i) { return reference::sigmoid(in.gaussians.logitOpacities[i]); })},
    {"ellipsoids", ellipsoids},
    {"centres", centres},
    {"gradient", mean([](const Ingredients& in, size_t i) { return in.gradients[i]; })},
    {"radius", mean([](const Ingredients& in, size_t i) { return largestExtent(in.projected[i]); })},
    {"error", error}};

}  // namespace

reference::PixelTrace trace(const Ingredients& in, glm::ivec2 pixel) {
    return reference::tracePixel(in.projected, in.order, centreOf(pixel), {});
}

double largestExtent(const reference::Projected& p) { return std::max(p.halfExtent.x, p.halfExtent.y); }

Ingredients ingredientsOf(const Gaussians& gaussians, const Camera& camera, const RenderSettings& settings) {
    Ingredients in{.gaussians = gaussians,
                   .camera = camera,
                   .settings = settings,
                   .projected = reference::projectAll(reference::fromGaussians(gaussians), camera, {}),
                   .order = {},
                   .gradients = {},
                   .tint = glm::dvec3(1),
                   .groundTruth = {},
                   .listed = {}};
    in.order = reference::depthOrder(in.projected);
    return in;
}

const std::map<std::string_view, Picture>& pictureReferences() { return kReferences; }

Comparison compare(const Words& found, const Ingredients& in, const Picture& picture) {
    Comparison c;
    std::vector<Expected> wanted;
    for (int y = 0; y < in.camera.height; ++y)
        for (int x = 0; x < in.camera.width; ++x) wanted.push_back(picture(in, {x, y}));
    if (in.selected && in.outline > 0) wanted = outlined(wanted, {in.camera.width, in.camera.height}, in.outline);
    for (int y = 0; y < in.camera.height; ++y) {
        for (int x = 0; x < in.camera.width; ++x) {
            const Expected& e = wanted[static_cast<size_t>(y * in.camera.width + x)];
            c.open += e.open ? 1 : 0;
            if (e.open) continue;
            const uint32_t word = found[static_cast<size_t>(y * in.camera.width + x)], expected = pixelWord(e.colour);
            const glm::ivec3 difference = glm::abs(channelsOf(word) - channelsOf(expected));
            if (word >> 24u == 255 && std::max({difference.x, difference.y, difference.z}) <= 1) continue;
            if (c.off++ == 0) c.first = fmt::format("at {},{}: {:08x}, expected {:08x}", x, y, word, expected);
        }
    }
    return c;
}

}  // namespace splat
