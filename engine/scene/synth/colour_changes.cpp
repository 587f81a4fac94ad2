#include <splatwright/scene/synth/colour_changes.h>

#include <algorithm>
#include <cmath>

#include <glm/glm.hpp>

#include <splatwright/core/rng.h>

namespace splat::synth {

namespace {

/// The changes of one photograph; all zero: none. Gains are logarithms to base 2.
struct Changes {
    double exposure;
    glm::dvec3 balance;
    glm::dvec3 slopeX, slopeY;  ///< of the gain, from one side of the image to the other
    double border;              ///< gain lost in the corners
    double gamma;               ///< logarithm of the tone curve's exponent
};

Changes drawn(uint64_t seed, double strength) {
    Rng rng(seed);
    const auto number = [&](double size) { return strength * rng.uniform(-size, size); };
    const auto vector = [&](double size) {
        const double x = number(size), y = number(size);
        return glm::dvec3(x, y, number(size));
    };
    const double exposure = number(0.5);
    const glm::dvec3 balance = vector(0.15), slopeX = vector(0.4), slopeY = vector(0.4);
    const double border = strength * rng.uniform(0, 0.4);
    return {exposure, balance, slopeX, slopeY, border, number(0.3)};
}

uint8_t changed(uint8_t value, double gain, double exponent) {
    const double tone = std::pow(value / 255.0, exponent);
    return static_cast<uint8_t>(std::lround(255 * std::clamp(gain * tone, 0.0, 1.0)));
}

}  // namespace

void changeColours(Image8& image, uint64_t seed, double strength) {
    const Changes changes = drawn(seed, strength);
    const double exponent = std::exp2(changes.gamma);
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const glm::dvec2 at((2 * x + 1.0) / image.width - 1, (2 * y + 1.0) / image.height - 1);  // -1 to 1 in both directions
            for (int k = 0; k < 3; ++k) {
                const double tilt = 0.5 * (changes.slopeX[k] * at.x + changes.slopeY[k] * at.y);
                const double gain = std::exp2(changes.exposure + changes.balance[k] + tilt - 0.5 * changes.border * glm::dot(at, at));
                uint8_t& value = image.at(x, y)[static_cast<size_t>(k)];
                value = changed(value, gain, exponent);
            }
        }
}

}  // namespace splat::synth
