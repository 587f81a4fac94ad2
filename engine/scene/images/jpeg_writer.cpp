#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>

#include <jpeglib.h>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/scene/images/exif.h>

namespace splat {
namespace {

constexpr int kQuality = 98;  // quantises by steps of 1 to 4 of 255, far below what training reaches

/// libjpeg reports failure by never returning from its handler, so all calls into it run below a setjmp.
struct Encoder {
    jpeg_error_mgr errors{};
    std::jmp_buf escape{};
    std::array<char, JMSG_LENGTH_MAX> message{};
    jpeg_compress_struct jpeg{};
    unsigned char* bytes = nullptr;
    unsigned long size = 0;

    Encoder() = default;
    ~Encoder() {
        jpeg_destroy_compress(&jpeg);
        std::free(bytes);
    }
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;
};

[[noreturn]] void fail(j_common_ptr jpeg) {
    auto& encoder = *static_cast<Encoder*>(jpeg->client_data);
    jpeg->err->format_message(jpeg, encoder.message.data());
    std::longjmp(encoder.escape, 1);
}

/// Colours are not subsampled. Holds no object with a destructor, because longjmp would skip it.
void setUp(jpeg_compress_struct& jpeg, const Image8& image) {
    jpeg.image_width = static_cast<JDIMENSION>(image.width);
    jpeg.image_height = static_cast<JDIMENSION>(image.height);
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, kQuality, TRUE);
    for (int i = 0; i < jpeg.num_components; ++i) jpeg.comp_info[i].h_samp_factor = jpeg.comp_info[i].v_samp_factor = 1;
}

bool encode(Encoder& encoder, const Image8& image, const std::string& marker) {
    encoder.jpeg.err = jpeg_std_error(&encoder.errors);
    encoder.jpeg.client_data = &encoder;
    encoder.errors.error_exit = fail;
    if (setjmp(encoder.escape) != 0) return false;
    jpeg_create_compress(&encoder.jpeg);
    jpeg_mem_dest(&encoder.jpeg, &encoder.bytes, &encoder.size);
    setUp(encoder.jpeg, image);
    jpeg_start_compress(&encoder.jpeg, TRUE);
    jpeg_write_marker(&encoder.jpeg, JPEG_APP0 + 1, reinterpret_cast<const JOCTET*>(marker.data()), static_cast<unsigned>(marker.size()));
    for (int y = 0; y < image.height; ++y) {
        // libjpeg's interface wants mutable rows but only reads them.
        JSAMPROW row = const_cast<JSAMPROW>(image.pixels.data() + image.index(0, y));
        jpeg_write_scanlines(&encoder.jpeg, &row, 1);
    }
    jpeg_finish_compress(&encoder.jpeg);
    return true;
}

}  // namespace

void writeJpeg(const std::filesystem::path& path, const Image8& image, const Shot& shot) {
    SPLAT_CHECK(image.channels == 3 && image.width > 0 && image.height > 0, "{}x{}, {} channels", image.width, image.height,
                image.channels);
    const std::vector<std::byte> exif = exifOf(shot);
    std::string marker(kExifSignature);
    for (const std::byte byte : exif) marker += static_cast<char>(byte);
    Encoder encoder;
    if (!encode(encoder, image, marker)) throw Error("{}: cannot be encoded as JPEG: {}", path.string(), encoder.message.data());
    writeFileAtomically(path, std::span(reinterpret_cast<const std::byte*>(encoder.bytes), encoder.size));
}

}  // namespace splat
