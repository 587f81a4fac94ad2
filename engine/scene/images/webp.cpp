#include <algorithm>
#include <cstring>
#include <memory>

#include <webp/decode.h>

#include <splatwright/core/error.h>
#include <splatwright/scene/images/codec.h>
#include <splatwright/scene/images/exif.h>

namespace splat {
namespace {

/// RIFF size, then the form; both little-endian.
bool recognises(std::span<const std::byte> head) {
    return head.size() >= 12 && startsWith(head, "RIFF") && startsWith(head.subspan(8), "WEBP");
}

constexpr size_t kBytesAtOnce = 65536;  // decoded between two checks

/// The decoder holds the whole picture as ARGB and writes it into another.
std::optional<ImageHeader> header(const EncodedImage& head) {
    WebPBitstreamFeatures features;
    if (WebPGetFeatures(head.data(), head.size(), &features) != VP8_STATUS_OK) return std::nullopt;
    ImageHeader header{.size = {features.width, features.height}, .channels = features.has_alpha != 0 ? 4 : 3};
    header.decoderBytes = header.pixels() * (4 + static_cast<uint64_t>(header.channels));
    header.leastBytes = leastBytesFor(header.pixels());  // a plain picture of any size takes a few dozen bytes
    return header;
}

/// The decoder accepts a file once it has all pixels; a file shorter than its container is truncated nevertheless.
void checkLength(const EncodedImage& file) {
    uint32_t riffBytes = 0;
    std::memcpy(&riffBytes, file.data() + 4, sizeof riffBytes);
    const uint64_t expected = uint64_t{riffBytes} + 8;
    if (file.size() < expected) {
        throw InputError("{}: truncated WebP: found {} bytes, expected {}", file.path.string(), file.size(), expected);
    }
}

/// Decodes into an image of the file's size, part by part.
bool decodeInto(Image8& image, const EncodedImage& file, const DecodingCheck& check) {
    WebPDecoderConfig config;
    if (WebPInitDecoderConfig(&config) == 0) return false;
    config.output.colorspace = image.channels == 4 ? MODE_RGBA : MODE_RGB;
    config.output.is_external_memory = 1;
    config.output.u.RGBA = {.rgba = image.pixels.data(), .stride = image.width * image.channels, .size = image.pixels.size()};
    const std::unique_ptr<WebPIDecoder, decltype(&WebPIDelete)> decoder(WebPIDecode(nullptr, 0, &config), WebPIDelete);
    VP8StatusCode status = decoder ? VP8_STATUS_SUSPENDED : VP8_STATUS_OUT_OF_MEMORY;
    for (size_t end = 0; status == VP8_STATUS_SUSPENDED && end < file.size();) {
        check();
        end = std::min(file.size(), end + kBytesAtOnce);
        status = WebPIUpdate(decoder.get(), file.data(), end);
    }
    return status == VP8_STATUS_OK;
}

void decode(const EncodedImage& file, const ImageRow& row, const DecodingCheck& check) {
    checkLength(file);
    WebPBitstreamFeatures features;
    if (WebPGetFeatures(file.data(), file.size(), &features) != VP8_STATUS_OK) {
        throw InputError("{}: damaged or truncated WebP header", file.path.string());
    }
    if (features.has_animation != 0) throw InputError("{}: animated WebP, expected a still picture", file.path.string());
    Image8 image(features.width, features.height, features.has_alpha != 0 ? 4 : 3);
    if (!decodeInto(image, file, check)) throw InputError("{}: damaged or truncated WebP", file.path.string());
    for (int y = 0; y < image.height; ++y)
        row(y, std::span(image.pixels).subspan(image.index(0, y), static_cast<size_t>(image.width) * static_cast<size_t>(image.channels)));
}

/// The content of a chunk of the extended format. Chunks: type, length, content of an even number of bytes.
std::span<const std::byte> chunkOf(const EncodedImage& file, std::string_view type) {
    std::span<const std::byte> rest = file.bytes.subspan(12);
    while (rest.size() >= 8) {
        const size_t length = numberAt(rest, 4, 4, std::endian::little);
        if (length > rest.size() - 8) break;
        if (startsWith(rest, type)) return rest.subspan(8, length);
        rest = rest.subspan(std::min(rest.size(), 8 + length + length % 2));
    }
    return {};
}

FileBlock exif(const EncodedImage& file) { return chunkOf(file, "EXIF"); }

FileBlock profile(const EncodedImage& file) {
    const auto found = chunkOf(file, "ICCP");
    return found.size() > kMostProfileBytes ? FileBlock() : FileBlock(found);
}

}  // namespace

const ImageCodec kWebpCodec{.name = "WebP", .recognises = recognises, .header = header, .decode = decode, .exif = exif, .profile = profile};

}  // namespace splat
