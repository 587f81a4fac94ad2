#include <array>
#include <csetjmp>
#include <cstdio>

#include <jpeglib.h>
// after jpeglib.h, which it needs
#include <jerror.h>

#include "core/error.h"
#include "scene/images/codec.h"

namespace splat {
namespace {

/// libjpeg reports failure by never returning from its handler, so each call into it runs below a setjmp.
struct Decoder {
    jpeg_error_mgr errors{};
    std::jmp_buf escape{};
    std::array<char, JMSG_LENGTH_MAX> message{};
    jpeg_decompress_struct jpeg{};

    Decoder();
    ~Decoder() { jpeg_destroy_decompress(&jpeg); }
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;
};

[[noreturn]] void fail(j_common_ptr jpeg) {
    auto& decoder = *static_cast<Decoder*>(jpeg->client_data);
    jpeg->err->format_message(jpeg, decoder.message.data());
    std::longjmp(decoder.escape, 1);
}

/// libjpeg goes on with grey after missing data; we would train on it. Harmless oddities of some cameras' files stay harmless.
void takeMessage(j_common_ptr jpeg, int level) {
    if (level >= 0) return;
    switch (jpeg->err->msg_code) {
        case JWRN_JPEG_EOF:
        case JWRN_HIT_MARKER:
        case JWRN_HUFF_BAD_CODE:
        case JWRN_MUST_RESYNC: fail(jpeg);
        default: break;
    }
}

Decoder::Decoder() {
    jpeg.err = jpeg_std_error(&errors);
    jpeg.client_data = this;
    errors.error_exit = fail;
    errors.emit_message = takeMessage;
}

// The functions below hold no object with a destructor, because longjmp would skip it.

bool readHeader(Decoder& decoder, const EncodedImage& file) {
    if (setjmp(decoder.escape) != 0) return false;
    jpeg_create_decompress(&decoder.jpeg);
    jpeg_mem_src(&decoder.jpeg, file.data(), static_cast<unsigned long>(file.size()));
    jpeg_read_header(&decoder.jpeg, TRUE);
    return true;
}

bool readRows(Decoder& decoder, uint8_t* pixels) {
    if (setjmp(decoder.escape) != 0) return false;
    decoder.jpeg.out_color_space = JCS_RGB;
    jpeg_start_decompress(&decoder.jpeg);
    const size_t rowBytes = static_cast<size_t>(decoder.jpeg.output_width) * 3;
    while (decoder.jpeg.output_scanline < decoder.jpeg.output_height) {
        JSAMPROW row = pixels + decoder.jpeg.output_scanline * rowBytes;
        jpeg_read_scanlines(&decoder.jpeg, &row, 1);
    }
    jpeg_finish_decompress(&decoder.jpeg);
    return true;
}

[[noreturn]] void refuse(const Decoder& decoder, const EncodedImage& file) {
    throw InputError("{}: damaged or truncated JPEG: {}", file.path.string(), decoder.message.data());
}

std::optional<ImageSize> size(const EncodedImage& head) {
    Decoder decoder;
    if (!readHeader(decoder, head)) return std::nullopt;
    return ImageSize{static_cast<int>(decoder.jpeg.image_width), static_cast<int>(decoder.jpeg.image_height)};
}

Image8 decode(const EncodedImage& file) {
    Decoder decoder;
    if (!readHeader(decoder, file)) refuse(decoder, file);
    checkImageSize(file, decoder.jpeg.image_width, decoder.jpeg.image_height);
    Image8 image(static_cast<int>(decoder.jpeg.image_width), static_cast<int>(decoder.jpeg.image_height), 3);
    if (!readRows(decoder, image.pixels.data())) refuse(decoder, file);
    return image;
}

bool recognises(std::span<const std::byte> head) { return startsWith(head, "\xff\xd8\xff"); }

}  // namespace

const ImageCodec kJpegCodec{.name = "JPEG", .recognises = recognises, .size = size, .decode = decode};

}  // namespace splat
