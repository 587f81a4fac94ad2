#include "reference/demo.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "reference/render.h"

namespace splat::reference {
namespace {

constexpr int kTile = 16;
constexpr size_t kList = 256;
constexpr double kOpaque = 1.0 / 255;
constexpr double kLimit = 10;

glm::dmat2 covarianceOf(const Projected& p) { return glm::inverse(glm::dmat2(p.conic.x, p.conic.y, p.conic.y, p.conic.z)); }

using Corners = std::array<glm::dvec2, 4>;

/// Corners of the box of four standard deviations along the axes.
Corners boxOf(const Projected& p) {
    const glm::dmat2 c = covarianceOf(p);
    const double middle = (c[0][0] + c[1][1]) / 2, spread = std::hypot((c[0][0] - c[1][1]) / 2, c[0][1]);
    const glm::dvec2 eigenvector = spread == 0 ? glm::dvec2(1, 0)
                                               : glm::normalize(std::abs(c[0][1]) > 1e-12 ? glm::dvec2(c[0][1], middle + spread - c[0][0])
                                                                : c[0][0] >= c[1][1]      ? glm::dvec2(1, 0)
                                                                                          : glm::dvec2(0, 1));
    const glm::dvec2 along = 4 * std::sqrt(middle + spread) * eigenvector;
    const glm::dvec2 across = 4 * std::sqrt(std::max(0.0, middle - spread)) * glm::dvec2(-eigenvector.y, eigenvector.x);
    return {p.mean + along + across, p.mean + along - across, p.mean - along - across, p.mean - along + across};
}

Corners cornersOf(glm::ivec2 tile) {
    const glm::dvec2 low = glm::dvec2(tile) * double{kTile};
    return {low, low + glm::dvec2(kTile, 0), low + glm::dvec2(kTile), low + glm::dvec2(0, kTile)};
}

bool separates(const glm::dvec2& axis, const Corners& a, const Corners& b) {
    const auto range = [&](const Corners& corners) {
        std::array<double, 4> at{};
        std::ranges::transform(corners, at.begin(), [&](const glm::dvec2& corner) { return glm::dot(axis, corner); });
        return std::ranges::minmax(at);
    };
    const auto one = range(a), other = range(b);
    return one.max < other.min || other.max < one.min;
}

bool touches(const Projected& blob, glm::ivec2 tile) {
    const Corners box = boxOf(blob), square = cornersOf(tile);
    const std::array axes{glm::dvec2(1, 0), glm::dvec2(0, 1), box[0] - box[1], box[1] - box[2]};
    return std::ranges::none_of(axes, [&](const glm::dvec2& axis) { return separates(axis, box, square); });
}

struct Fragment {
    glm::dvec3 colour;
    double alpha;
};

Fragment fragmentOf(const BlobNumbers& blob, const BlobSettings& settings, const glm::dvec2& at) {
    const Projected p = projectBlob(blob, settings);
    const glm::dvec2 d = at - p.mean;
    const double power = -0.5 * (p.conic.x * d.x * d.x + p.conic.z * d.y * d.y) - p.conic.y * d.x * d.y;
    return {p.colour, std::min(kMaxAlpha, p.opacity * std::exp(power))};
}

/// What happens along a pixel, front to back.
struct Trace {
    struct Step {
        size_t blob;
        Fragment fragment;
        double transmittance;  ///< in front
    };
    std::vector<Step> steps;
    glm::dvec3 colour{0};
    double transmittance = 1;
    bool nearCut = false;
};

bool isNear(double value, double threshold) { return std::abs(value - threshold) < 1e-3 * threshold; }

Trace traceOf(std::span<const BlobNumbers> blobs, const DemoSettings& s, const DemoTile& tile, const glm::dvec2& at) {
    Trace trace;
    for (const size_t blob : tile.blobs) {
        trace.nearCut |= isNear(trace.transmittance, kOpaque);
        if (trace.transmittance < kOpaque) break;
        Fragment fragment = fragmentOf(blobs[blob], s.blobs, at);
        trace.nearCut |= isNear(fragment.alpha, kMaxAlpha) || (tile.cut && isNear(fragment.alpha, kMinAlpha));
        if (tile.cut && fragment.alpha < kMinAlpha) continue;
        trace.steps.push_back({blob, fragment, trace.transmittance});
        trace.colour += fragment.colour * (fragment.alpha * trace.transmittance);
        trace.transmittance *= 1 - fragment.alpha;
    }
    return trace;
}

void forEachPixel(std::span<const BlobNumbers> blobs, const DemoSettings& s, int width, int height,
                  const std::function<void(int, int, const Trace&)>& use) {
    for (int top = 0; top < height; top += kTile)
        for (int left = 0; left < width; left += kTile) {
            const DemoTile tile = demoTile(blobs, s, {left / kTile, top / kTile});
            for (int y = top; y < std::min(top + kTile, height); ++y)
                for (int x = left; x < std::min(left + kTile, width); ++x) use(x, y, traceOf(blobs, s, tile, {x + 0.5, y + 0.5}));
        }
}

/// Adds what a fragment's derivatives are by the blob's parameters, by central differences.
void addGradient(BlobNumbers& sum, const BlobNumbers& blob, const BlobSettings& settings, const glm::dvec2& at, const glm::dvec3& byColour,
                 double byAlpha) {
    constexpr double kStep = 1e-6;
    for (size_t k = 0; k < blob.size(); ++k) {
        BlobNumbers low = blob, high = blob;
        low[k] -= kStep;
        high[k] += kStep;
        const Fragment before = fragmentOf(low, settings, at), after = fragmentOf(high, settings, at);
        const double change = glm::dot(byColour, after.colour - before.colour) + byAlpha * (after.alpha - before.alpha);
        sum[k] += std::clamp(change / (2 * kStep), -kLimit, kLimit);
    }
}

}  // namespace

DemoTile demoTile(std::span<const BlobNumbers> blobs, const DemoSettings& s, glm::ivec2 tile) {
    std::vector<size_t> touching, all;
    for (size_t i = 0; i < blobs.size(); ++i) {
        all.push_back(i);
        if (touches(projectBlob(blobs[i], s.blobs), tile)) touching.push_back(i);
    }
    if (touching.size() <= kList) return {touching, false};
    if (!s.losesBlobs) return {all, true};
    touching.resize(kList);
    return {touching, false};
}

DemoPicture demoPicture(std::span<const BlobNumbers> blobs, const DemoSettings& s, int width, int height) {
    DemoPicture picture{Image<double>(width, height, 3), Image<uint8_t>(width, height, 1)};
    forEachPixel(blobs, s, width, height, [&](int x, int y, const Trace& trace) {
        const double coverage = s.premultipliesTwice ? 1 - trace.transmittance : 1;
        const glm::dvec3 colour = trace.colour * coverage + s.background * trace.transmittance;
        for (int k = 0; k < 3; ++k) picture.colour.at(x, y)[static_cast<size_t>(k)] = colour[k];
        picture.nearCut.at(x, y)[0] = trace.nearCut;
    });
    return picture;
}

std::vector<BlobNumbers> demoGradients(std::span<const BlobNumbers> blobs, const DemoSettings& s, const Image<double>& by) {
    std::vector<BlobNumbers> gradients(blobs.size(), BlobNumbers{});
    forEachPixel(blobs, s, by.width, by.height, [&](int x, int y, const Trace& trace) {
        const auto pixel = by.at(x, y);
        const glm::dvec3 d(pixel[0], pixel[1], pixel[2]);
        const glm::dvec3 byColour = s.premultipliesTwice ? d * (1 - trace.transmittance) : d;
        const double byTransmittance = glm::dot(d, s.background) - (s.premultipliesTwice ? glm::dot(d, trace.colour) : 0);
        glm::dvec3 behind(0);  // colour behind the step, per unit of light that reaches it
        for (auto step = trace.steps.rbegin(); step != trace.steps.rend(); ++step) {
            const auto& [colour, alpha] = step->fragment;
            const double byAlpha =
                step->transmittance * glm::dot(byColour, colour - behind) - byTransmittance * trace.transmittance / (1 - alpha);
            addGradient(gradients[step->blob], blobs[step->blob], s.blobs, {x + 0.5, y + 0.5}, byColour * (alpha * step->transmittance),
                        byAlpha);
            behind = alpha * colour + (1 - alpha) * behind;
        }
    });
    return gradients;
}

}  // namespace splat::reference
