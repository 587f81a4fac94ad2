#include <splatwright/scene/synth/transients.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <glm/glm.hpp>

#include <splatwright/core/rng.h>

namespace splat::synth {

namespace {

/// A striped ellipse; lengths in pixels.
struct Object {
    glm::dvec2 centre, radii;
    double stripe;
    std::array<std::array<uint8_t, 3>, 2> colours;

    bool covers(const glm::dvec2& at) const {
        const glm::dvec2 apart = (at - centre) / radii;
        return glm::dot(apart, apart) <= 1;
    }
    const std::array<uint8_t, 3>& colour(const glm::dvec2& at) const {
        return colours[static_cast<size_t>(std::floor((at.x + at.y) / stripe)) % 2];
    }
};

Object drawn(Rng& rng, int width, int height) {
    const double side = std::min(width, height);
    Object object{};
    object.centre = {rng.uniform(0, width), rng.uniform(0, height)};
    object.radii = {side * rng.uniform(0.1, 0.2), side * rng.uniform(0.1, 0.2)};
    object.stripe = side * rng.uniform(0.05, 0.15);
    for (auto& colour : object.colours)
        for (uint8_t& value : colour) value = static_cast<uint8_t>(rng.below(256));
    return object;
}

void paste(Image8& image, const Object& object) {
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const glm::dvec2 at(x + 0.5, y + 0.5);
            if (!object.covers(at)) continue;
            const auto pixel = image.at(x, y);
            std::ranges::copy(object.colour(at), pixel.begin());
            if (image.channels == 4) pixel[3] = 255;
        }
}

}  // namespace

void addTransients(Image8& image, uint64_t seed) {
    Rng rng(seed);
    for (uint64_t object = rng.below(3) + 1; object > 0; --object) paste(image, drawn(rng, image.width, image.height));
}

}  // namespace splat::synth
