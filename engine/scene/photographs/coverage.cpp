#include <algorithm>
#include <cmath>

#include <splatwright/core/error.h>
#include <splatwright/scene/photographs/photographs.h>

namespace splat {
namespace {

/// For each value of `a`: its share by the coverage, the rest by what `rest` gives for a pixel and channel; rounded once.
template <class Rest>
Image8 mixed(Image8 a, const Image8& coverage, const Rest& rest) {
    SPLAT_CHECK(a.channels == 3 && coverage.width == a.width && coverage.height == a.height, "{}x{}x{} and {}x{}", a.width, a.height,
                a.channels, coverage.width, coverage.height);
    for (size_t i = 0; i < a.pixels.size(); ++i) {
        const float share = static_cast<float>(coverage.pixels[i / 3]) / 255;
        const float value = share * static_cast<float>(a.pixels[i]) + (1 - share) * rest(i);
        a.pixels[i] = static_cast<uint8_t>(std::clamp(std::floor(value + 0.5f), 0.0f, 255.0f));
    }
    return a;
}

}  // namespace

Image8 composited(const Photograph& photograph, glm::vec3 background) {
    if (photograph.covers != Coverage::alpha) return photograph.image;
    return mixed(photograph.image, photograph.coverage, [&](size_t i) { return 255 * background[static_cast<int>(i % 3)]; });
}

Image8 masked(Image8 render, const Photograph& photograph) {
    if (photograph.covers != Coverage::mask) return render;
    return mixed(std::move(render), photograph.coverage, [&](size_t i) { return static_cast<float>(photograph.image.pixels[i]); });
}

}  // namespace splat
