#include <splatwright/gpu/painting.h>

namespace splat::gpu {

std::vector<uint32_t> texelsOf(const Image8& image) {
    std::vector<uint32_t> texels(static_cast<size_t>(image.width) * static_cast<size_t>(image.height));
    for (size_t i = 0; i < texels.size(); ++i) {
        const uint8_t* p = &image.pixels[3 * i];
        texels[i] = p[0] | static_cast<uint32_t>(p[1]) << 8u | static_cast<uint32_t>(p[2]) << 16u | 0xff000000u;
    }
    return texels;
}

Image8 imageOf(std::span<const uint32_t> texels, glm::uvec2 size) {
    Image8 image(static_cast<int>(size.x), static_cast<int>(size.y), 3);
    for (size_t i = 0; i < texels.size(); ++i) {
        for (size_t channel = 0; channel < 3; ++channel) image.pixels[3 * i + channel] = static_cast<uint8_t>(texels[i] >> (8 * channel));
    }
    return image;
}

}  // namespace splat::gpu
