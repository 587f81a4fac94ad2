#include "reference/render.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <splatwright/core/threads.h>
#include <splatwright/shared/frame.h>

namespace splat::reference {
namespace {

/// exp(-6) is below 2/3 of 1/255, so that such a splat is cut whatever its opacity; spares most of the exponentials.
constexpr double kCertainlyCut = -6;

bool near(double value, double threshold, double margin) { return std::abs(value - threshold) <= margin * threshold; }

double power(const Projected& p, const glm::dvec2& centre) {
    const glm::dvec2 d = p.mean - centre;
    return -0.5 * (p.conic.x * d.x * d.x + p.conic.z * d.y * d.y) - p.conic.y * d.x * d.y;
}

}  // namespace

uint32_t depthStep(float depth) {
    const auto nearPlane = std::bit_cast<uint32_t>(static_cast<float>(shared::kNearPlane));
    return std::min((std::bit_cast<uint32_t>(depth) - nearPlane) / 16, 0xffffffU);
}

std::vector<size_t> depthOrder(std::span<const Projected> projected) {
    std::vector<size_t> order;
    for (size_t i = 0; i < projected.size(); ++i)
        if (projected[i].visible) order.push_back(i);
    std::ranges::stable_sort(order, {}, [&](size_t i) { return depthStep(static_cast<float>(projected[i].depth)); });
    return order;
}

Alpha alphaOf(double opacity, double gaussian, const Settings& settings) {
    const double raw = opacity * gaussian;
    const double clamped = std::min(kMaxAlpha, raw);
    const double slope = raw > kMaxAlpha ? 0 : 1;
    if (clamped < kMinAlpha) return {};
    if (!settings.smoothCutoff) return {.value = clamped, .slope = slope};

    const double u = std::min(1.0, clamped / kMinAlpha - 1);
    const double ramp = u * u * u * (10 + u * (6 * u - 15));
    const double rampSlope = 30 * u * u * (1 - u) * (1 - u) / kMinAlpha;
    return {.value = clamped * ramp, .slope = slope * (ramp + clamped * rampSlope)};
}

bool reachesAPixel(const Projected& splat, int width, int height) {
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            if (splat.visible && splat.opacity * std::exp(power(splat, {x + 0.5, y + 0.5})) >= kMinAlpha) return true;
    return false;
}

PixelTrace tracePixel(std::span<const Projected> projected, std::span<const size_t> order, const glm::dvec2& centre,
                      const Settings& settings) {
    PixelTrace trace;
    for (const size_t i : order) {
        const double exponent = power(projected[i], centre);
        if (exponent > 0 || exponent < kCertainlyCut) continue;
        const double gaussian = std::exp(exponent);
        const double raw = projected[i].opacity * gaussian;
        trace.nearCut |= near(raw, kMaxAlpha, settings.nearCutMargin);
        trace.nearCut |= !settings.smoothCutoff && near(raw, kMinAlpha, settings.nearCutMargin);

        const Alpha alpha = alphaOf(projected[i].opacity, gaussian, settings);
        if (alpha.value == 0) continue;
        const double next = settings.summed ? trace.transmittance : trace.transmittance * (1 - alpha.value);
        trace.nearCut |= !settings.smoothCutoff && near(next, kMinTransmittance, 10 * settings.nearCutMargin);
        if (next < kMinTransmittance && !settings.smoothCutoff) break;
        trace.contributions.push_back({.splat = i, .gaussian = gaussian, .alpha = alpha, .transmittance = trace.transmittance});
        trace.transmittance = next;
        trace.nearCut |= near(next, settings.opaqueBelow, 10 * settings.nearCutMargin);
        if (next < settings.opaqueBelow) break;
    }
    return trace;
}

Rendering blend(std::span<const Projected> projected, int width, int height, const Settings& settings) {
    Rendering out{.colour = {width, height, 3},
                  .transmittance = {width, height, 1},
                  .inverseDepth = {width, height, 1},
                  .normal = {width, height, 3},
                  .contributors = {width, height, 1},
                  .nearCut = {width, height, 1}};
    const std::vector<size_t> order = depthOrder(projected);
    parallelFor(static_cast<size_t>(height), [&](size_t row) {
        const int y = static_cast<int>(row);
        for (int x = 0; x < width; ++x) {
            const PixelTrace trace = tracePixel(projected, order, {x + 0.5, y + 0.5}, settings);
            glm::dvec3 colour = trace.transmittance * settings.background;
            glm::dvec3 normal(0);
            double inverseDepth = 0;
            for (const Contribution& c : trace.contributions) {
                colour += projected[c.splat].colour * c.alpha.value * c.transmittance;
                inverseDepth += c.alpha.value * c.transmittance / projected[c.splat].depth;
                normal += projected[c.splat].normal * c.alpha.value * c.transmittance;
            }
            out.inverseDepth.at(x, y)[0] = inverseDepth;
            for (int k = 0; k < 3; ++k) {
                out.colour.at(x, y)[static_cast<size_t>(k)] = colour[k];
                out.normal.at(x, y)[static_cast<size_t>(k)] = normal[k];
            }
            out.transmittance.at(x, y)[0] = trace.transmittance;
            out.contributors.at(x, y)[0] = static_cast<int>(trace.contributions.size());
            out.nearCut.at(x, y)[0] = trace.nearCut ? 1 : 0;
        }
    });
    return out;
}

Rendering render(const Splats& splats, const Camera& camera, const Settings& settings) {
    return blend(projectAll(splats, camera, settings), camera.width, camera.height, settings);
}

}  // namespace splat::reference
