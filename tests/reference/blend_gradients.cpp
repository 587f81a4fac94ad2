#include "reference/gradients.h"

namespace splat::reference {
namespace {

/// What follows from dL/d(power) at one pixel: power is quadratic in d = mean - centre and linear in the conic.
void addPowerGradient(ProjectedGradient& gradient, const Projected& p, const glm::dvec2& centre, double dPower) {
    const glm::dvec2 d = p.mean - centre;
    gradient.conic += dPower * glm::dvec3(-0.5 * d.x * d.x, -d.x * d.y, -0.5 * d.y * d.y);
    gradient.mean -= dPower * glm::dvec2(p.conic.x * d.x + p.conic.y * d.y, p.conic.z * d.y + p.conic.y * d.x);
}

/// Derivative of a loss with respect to one pixel.
struct PixelGradient {
    glm::dvec3 colour;
    double transmittance, inverseDepth;
    glm::dvec3 normal;
};

/// Walks one pixel back to front. With B the colour and P the transmittance of all that lies behind splat i, per unit of light that
/// reaches it, C = ... + T_i (alpha_i c_i + (1 - alpha_i) B) and T = T_i (1 - alpha_i) P; no division by 1 - alpha is needed. Of summed splats
/// none hides another: B is 0 and P is 1.
void addPixel(BlendGradients& gradients, std::span<const Projected> projected, const PixelTrace& trace, const glm::dvec2& centre,
              const Settings& settings, const PixelGradient& by) {
    gradients.background += trace.transmittance * by.colour;
    glm::dvec3 behind = settings.summed ? glm::dvec3(0) : settings.background;
    glm::dvec3 normalBehind(0);
    double inverseBehind = 0;
    double passing = 1;
    for (auto c = trace.contributions.rbegin(); c != trace.contributions.rend(); ++c) {
        const Projected& p = projected[c->splat];
        ProjectedGradient& gradient = gradients.projected[c->splat];
        const double alpha = c->alpha.value;
        const double dAlpha =
            c->transmittance * (glm::dot(by.colour, p.colour - behind) + by.inverseDepth * (1 / p.depth - inverseBehind) +
                                glm::dot(by.normal, p.normal - normalBehind) - (settings.summed ? 0 : by.transmittance * passing));
        const double dRaw = dAlpha * c->alpha.slope;
        gradient.colour += by.colour * alpha * c->transmittance;
        gradient.inverseDepth += by.inverseDepth * alpha * c->transmittance;
        gradient.normal += by.normal * alpha * c->transmittance;
        gradient.opacity += dRaw * c->gaussian;
        addPowerGradient(gradient, p, centre, dRaw * p.opacity * c->gaussian);

        if (settings.summed) continue;
        behind = alpha * p.colour + (1 - alpha) * behind;
        inverseBehind = alpha / p.depth + (1 - alpha) * inverseBehind;
        normalBehind = alpha * p.normal + (1 - alpha) * normalBehind;
        passing *= 1 - alpha;
    }
}

}  // namespace

BlendGradients blendBackward(std::span<const Projected> projected, const Settings& settings, const PictureGradient& picture) {
    BlendGradients gradients;
    gradients.projected.resize(projected.size());
    const std::vector<size_t> order = depthOrder(projected);
    const auto numberAt = [](const Image<double>& image, int x, int y) { return image.pixels.empty() ? 0 : image.at(x, y)[0]; };
    const auto vectorAt = [](const Image<double>& image, int x, int y) {
        if (image.pixels.empty()) return glm::dvec3(0);
        const auto v = image.at(x, y);
        return glm::dvec3(v[0], v[1], v[2]);
    };
    // One thread: every pixel adds to the same splats, and the order of additions must not vary.
    for (int y = 0; y < picture.colour.height; ++y)
        for (int x = 0; x < picture.colour.width; ++x) {
            const glm::dvec2 centre(x + 0.5, y + 0.5);
            addPixel(gradients, projected, tracePixel(projected, order, centre, settings), centre, settings,
                     {vectorAt(picture.colour, x, y), numberAt(picture.transmittance, x, y), numberAt(picture.inverseDepth, x, y),
                      vectorAt(picture.normal, x, y)});
        }
    return gradients;
}

}  // namespace splat::reference
