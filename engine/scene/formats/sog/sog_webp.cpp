#include <splatwright/scene/formats/sog/sog.h>

#include <memory>

#include <webp/decode.h>
#include <webp/encode.h>

#include <splatwright/core/error.h>

namespace splat {
namespace {

constexpr int kLossless = 2;  // of WebPBitstreamFeatures::format

/// Of libwebp's 0 to 9. Level 0 takes 3 % more bytes than 1; 4 to 8 take up to 3 times as long as 3 for the same bytes.
constexpr int levelOf(WebpEffort effort) { return effort == WebpEffort::quick ? 1 : 3; }

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

std::vector<std::byte> encodeLosslessWebp(const Image8& image, WebpEffort effort) {
    WebPConfig config;
    WebPPicture start;
    const bool ready = WebPConfigInit(&config) && WebPConfigLosslessPreset(&config, levelOf(effort)) && WebPPictureInit(&start);
    if (!ready) throw Error("cannot initialise libwebp");
    config.exact = 1;  // or colours of transparent pixels are lost, which are values of splats
    const std::unique_ptr<WebPPicture, void (*)(WebPPicture*)> picture(&start, WebPPictureFree);
    WebPMemoryWriter output;
    WebPMemoryWriterInit(&output);
    const std::unique_ptr<WebPMemoryWriter, void (*)(WebPMemoryWriter*)> written(&output, WebPMemoryWriterClear);
    picture->use_argb = 1;
    picture->width = image.width;
    picture->height = image.height;
    picture->writer = WebPMemoryWrite;
    picture->custom_ptr = &output;
    if (!WebPPictureImportRGBA(picture.get(), image.pixels.data(), image.width * image.channels) || !WebPEncode(&config, picture.get())) {
        throw Error("cannot encode {}x{} pixels as WebP (error {})", image.width, image.height, static_cast<int>(picture->error_code));
    }
    const auto bytes = std::as_bytes(std::span(output.mem, output.size));
    return {bytes.begin(), bytes.end()};
}

}  // namespace splat
