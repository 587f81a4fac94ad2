#include <splatwright/scene/formats/sog/sog.h>

#include <webp/decode.h>

#include <splatwright/core/error.h>

namespace splat {
namespace {

constexpr int kLossless = 2;  // of WebPBitstreamFeatures::format

const uint8_t* dataOf(std::span<const std::byte> bytes) { return reinterpret_cast<const uint8_t*>(bytes.data()); }

}  // namespace

glm::ivec2 losslessWebpSize(const std::string& where, std::span<const std::byte> bytes) {
    WebPBitstreamFeatures features;
    if (WebPGetFeatures(dataOf(bytes), bytes.size(), &features) != VP8_STATUS_OK)
        throw InputError("{}: damaged or truncated WebP header", where);
    if (features.has_animation != 0 || features.format != kLossless) {
        throw InputError("{}: {} WebP, expected a lossless still picture", where, features.has_animation != 0 ? "animated" : "lossy");
    }
    return {features.width, features.height};
}

Image8 decodeLosslessWebp(const std::string& where, std::span<const std::byte> bytes) {
    const glm::ivec2 size = losslessWebpSize(where, bytes);
    Image8 image(size.x, size.y, 4);
    if (!WebPDecodeRGBAInto(dataOf(bytes), bytes.size(), image.pixels.data(), image.pixels.size(), image.width * image.channels)) {
        throw InputError("{}: damaged or truncated WebP", where);
    }
    return image;
}

}  // namespace splat
