#include <splatwright/scene/images/jpeg_writer.h>

#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <utility>

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

/// What a file is made of. Outlives the calls into libjpeg, whose longjmp skips destructors.
struct Job {
    const Image8& image;
    int quality;
    JpegColours colours;
    std::string marker;          ///< EXIF; empty: none
    std::vector<uint8_t> row{};  ///< of an image of 4 channels, without the fourth
};

void setUp(jpeg_compress_struct& jpeg, const Job& job) {
    const Image8& image = job.image;
    jpeg.image_width = static_cast<JDIMENSION>(image.width);
    jpeg.image_height = static_cast<JDIMENSION>(image.height);
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, job.quality, TRUE);
    const int samples = job.colours == JpegColours::full ? 1 : 2;  // of brightness per one of colour, along each side
    for (int i = 0; i < jpeg.num_components; ++i) jpeg.comp_info[i].h_samp_factor = jpeg.comp_info[i].v_samp_factor = i == 0 ? samples : 1;
}

/// libjpeg's interface wants mutable rows but only reads them.
JSAMPROW rowOf(Job& job, int y) {
    const uint8_t* pixels = job.image.pixels.data() + job.image.index(0, y);
    if (job.image.channels == 3) return const_cast<JSAMPROW>(pixels);
    for (size_t x = 0; x < static_cast<size_t>(job.image.width); ++x)
        for (size_t c = 0; c < 3; ++c) job.row[3 * x + c] = pixels[4 * x + c];
    return job.row.data();
}

bool encode(Encoder& encoder, Job& job) {
    encoder.jpeg.err = jpeg_std_error(&encoder.errors);
    encoder.jpeg.client_data = &encoder;
    encoder.errors.error_exit = fail;
    if (setjmp(encoder.escape) != 0) return false;
    jpeg_create_compress(&encoder.jpeg);
    jpeg_mem_dest(&encoder.jpeg, &encoder.bytes, &encoder.size);
    setUp(encoder.jpeg, job);
    jpeg_start_compress(&encoder.jpeg, TRUE);
    if (!job.marker.empty())
        jpeg_write_marker(&encoder.jpeg, JPEG_APP0 + 1, reinterpret_cast<const JOCTET*>(job.marker.data()),
                          static_cast<unsigned>(job.marker.size()));
    for (int y = 0; y < job.image.height; ++y) {
        JSAMPROW row = rowOf(job, y);
        jpeg_write_scanlines(&encoder.jpeg, &row, 1);
    }
    jpeg_finish_compress(&encoder.jpeg);
    return true;
}

}  // namespace

std::vector<std::byte> encodedJpeg(const Image8& image, int quality, JpegColours colours) {
    SPLAT_CHECK((image.channels == 3 || image.channels == 4) && image.width > 0 && image.height > 0, "{}x{}, {} channels", image.width,
                image.height, image.channels);
    Job job{.image = image, .quality = quality, .colours = colours, .marker = {}, .row = {}};
    if (image.channels == 4) job.row.resize(3 * static_cast<size_t>(image.width));
    Encoder encoder;
    if (!encode(encoder, job))
        throw Error("a picture of {}x{} cannot be encoded as JPEG: {}", image.width, image.height, encoder.message.data());
    const std::span bytes(reinterpret_cast<const std::byte*>(encoder.bytes), encoder.size);
    return {bytes.begin(), bytes.end()};
}

void writeJpeg(const std::filesystem::path& path, const Image8& image, const Shot& shot) {
    SPLAT_CHECK(image.channels == 3 && image.width > 0 && image.height > 0, "{}x{}, {} channels", image.width, image.height,
                image.channels);
    const std::vector<std::byte> exif = exifOf(shot);
    std::string marker(kExifSignature);
    for (const std::byte byte : exif) marker += static_cast<char>(byte);
    Encoder encoder;
    Job job{.image = image, .quality = kQuality, .colours = JpegColours::full, .marker = std::move(marker)};
    if (!encode(encoder, job)) throw Error("{}: cannot be encoded as JPEG: {}", path.string(), encoder.message.data());
    writeFileAtomically(path, std::span(reinterpret_cast<const std::byte*>(encoder.bytes), encoder.size));
}

}  // namespace splat
