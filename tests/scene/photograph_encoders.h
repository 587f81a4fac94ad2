#pragma once

#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <libheif/heif.h>
#include <tiffio.h>
#include <zlib.h>

#include <gtest/gtest.h>

#include <splatwright/core/image.h>

#include "encoders.h"
#include "exif_samples.h"
#include "scratch.h"

namespace splat::test {

/// The value of sRGB for linear light of 0 to 1, 0 to 255.
inline double srgbValue(double light) { return 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055); }

/// Files of phones, cameras and scanners, made with the libraries' encoders; raw files by hand.

struct HeifExtras {
    std::string profile{}, exif{};
    heif_orientation orientation = heif_orientation_normal;
    int bits = 8;                     ///< of the samples: values are spread over them
    std::vector<uint16_t> samples{};  ///< instead of the image's values
    int transfer = 0, primaries = 1;  ///< code points of ITU-T H.273; transfer 0: not in the file
};

inline heif_error appendTo(heif_context*, const void* data, size_t size, void* text) {
    static_cast<std::string*>(text)->append(static_cast<const char*>(data), size);
    return {heif_error_Ok, heif_suberror_Unspecified, ""};
}

/// HEIC (heif_compression_HEVC) or AVIF (heif_compression_AV1), lossless but for the conversion to YCbCr.
inline std::string encodeHeif(const Image8& image, heif_compression_format format, const HeifExtras& extras = {}) {
    heif_context* context = heif_context_alloc();
    heif_encoder* encoder = nullptr;
    const heif_error found = heif_context_get_encoder_for_format(context, format, &encoder);
    if (found.code != heif_error_Ok) {
        ADD_FAILURE() << "libheif has no encoder, expected libheif-plugin-x265 and libheif-plugin-aomenc: " << found.message;
        return {};
    }
    heif_encoder_set_lossless(encoder, 1);
    heif_encoder_set_parameter(encoder, "chroma", "444");
    heif_image* picture = nullptr;
    const bool wide = extras.bits > 8;
    heif_image_create(image.width, image.height, heif_colorspace_RGB,
                      wide ? heif_chroma_interleaved_RRGGBB_LE : heif_chroma_interleaved_RGB, &picture);
    heif_image_add_plane(picture, heif_channel_interleaved, image.width, image.height, extras.bits);
    int stride = 0;
    uint8_t* plane = heif_image_get_plane(picture, heif_channel_interleaved, &stride);
    for (int y = 0; y < image.height; ++y)
        for (int i = 0; i < 3 * image.width; ++i) {
            const uint32_t value = image.pixels[image.index(0, y) + static_cast<size_t>(i)];
            const size_t index = static_cast<size_t>(3 * y * image.width + i);
            const uint32_t spread = extras.samples.empty() ? value << static_cast<uint32_t>(extras.bits - 8) : extras.samples[index];
            uint8_t* at = plane + static_cast<ptrdiff_t>(y) * stride + (wide ? 2 * i : i);
            at[0] = static_cast<uint8_t>(spread);
            if (wide) at[1] = static_cast<uint8_t>(spread >> 8U);
        }
    if (!extras.profile.empty()) heif_image_set_raw_color_profile(picture, "prof", extras.profile.data(), extras.profile.size());
    heif_encoding_options* options = heif_encoding_options_alloc();
    options->image_orientation = extras.orientation;
    heif_color_profile_nclx* nclx = heif_nclx_color_profile_alloc();
    heif_nclx_color_profile_set_color_primaries(nclx, static_cast<uint16_t>(extras.primaries));
    heif_nclx_color_profile_set_transfer_characteristics(nclx, static_cast<uint16_t>(extras.transfer));
    heif_nclx_color_profile_set_matrix_coefficients(nclx, 1);
    if (extras.transfer != 0) {
        heif_image_set_nclx_color_profile(picture, nclx);
        options->macOS_compatibility_workaround_no_nclx_profile = 0;
    }
    heif_image_handle* handle = nullptr;
    heif_context_encode_image(context, picture, encoder, options, &handle);
    if (!extras.exif.empty()) heif_context_add_exif_metadata(context, handle, extras.exif.data(), static_cast<int>(extras.exif.size()));
    std::string file;
    heif_writer writer{.writer_api_version = 1, .write = appendTo};
    heif_context_write(context, &writer, &file);
    heif_image_handle_release(handle);
    heif_encoding_options_free(options);
    heif_nclx_color_profile_free(nclx);
    heif_image_release(picture);
    heif_encoder_release(encoder);
    heif_context_free(context);
    return file;
}

/// Kinds of TIFF: samples as the file stores them, in the order of its channels.
struct RawTiff {
    int width, height, channels = 3, bits = 8;
    uint16_t photometric = PHOTOMETRIC_RGB, compression = COMPRESSION_NONE, planar = PLANARCONFIG_CONTIG;
    uint16_t orientation = ORIENTATION_TOPLEFT, extra = 0;  ///< extra: what the last channel is; 0: a colour
    uint16_t inkSet = 0, format = 0;                        ///< 0: no tag
    int tile = 0;                                           ///< side of tiles; 0: strips of 2 rows
    std::vector<uint8_t> samples{};                         ///< rows
    std::string profile{};
    std::array<std::vector<uint16_t>, 3> palette{};
};

/// A file that libtiff writes through a name, as its interface for memory is in C++ streams only.
inline std::string encodeTiff(RawTiff raw) {
    const Scratch scratch;
    const std::string path = scratch.path() / "picture.tif";
    TIFF* tiff = TIFFOpen(path.c_str(), "w");
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, raw.width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, raw.height);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, raw.channels);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, raw.bits);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, raw.photometric);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, raw.compression);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, raw.planar);
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, raw.orientation);
    if (raw.extra != 0) TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &raw.extra);
    if (raw.inkSet != 0) TIFFSetField(tiff, TIFFTAG_INKSET, raw.inkSet);
    if (raw.format != 0) TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, raw.format);
    if (!raw.profile.empty()) TIFFSetField(tiff, TIFFTAG_ICCPROFILE, static_cast<uint32_t>(raw.profile.size()), raw.profile.data());
    if (!raw.palette[0].empty()) TIFFSetField(tiff, TIFFTAG_COLORMAP, raw.palette[0].data(), raw.palette[1].data(), raw.palette[2].data());
    const auto pixelBytes = static_cast<size_t>(raw.channels * raw.bits / 8), width = static_cast<size_t>(raw.width);
    if (raw.tile > 0) {
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, raw.tile);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, raw.tile);
        const auto side = static_cast<size_t>(raw.tile);
        for (size_t y = 0; y < static_cast<size_t>(raw.height); y += side)
            for (size_t x = 0; x < width; x += side) {
                std::vector<uint8_t> tile(side * side * pixelBytes);
                for (size_t r = 0; r < side && y + r < static_cast<size_t>(raw.height); ++r)
                    std::memcpy(&tile[r * side * pixelBytes], &raw.samples[((y + r) * width + x) * pixelBytes],
                                std::min(side, width - x) * pixelBytes);
                TIFFWriteTile(tiff, tile.data(), static_cast<uint32_t>(x), static_cast<uint32_t>(y), 0, 0);
            }
    } else {
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 2);
        const int planes = raw.planar == PLANARCONFIG_SEPARATE ? raw.channels : 1;
        for (int plane = 0; plane < planes; ++plane)
            for (int y = 0; y < raw.height; ++y) {
                std::vector<uint8_t> row;
                for (size_t i = 0; i < width * pixelBytes; ++i)
                    if (planes == 1 || i % pixelBytes / static_cast<size_t>(raw.bits / 8) == static_cast<size_t>(plane))
                        row.push_back(raw.samples[static_cast<size_t>(y) * width * pixelBytes + i]);
                TIFFWriteScanline(tiff, row.data(), static_cast<uint32_t>(y), static_cast<uint16_t>(plane));
            }
    }
    TIFFClose(tiff);
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline RawTiff rawTiff(const Image8& image) {
    RawTiff raw{.width = image.width, .height = image.height, .channels = image.channels, .samples = image.pixels};
    if (image.channels == 4) raw.extra = EXTRASAMPLE_UNASSALPHA;
    return raw;
}

/// A DNG 1.4 of a colour filter array R G / G B, of 16 bits and without compression. Cells are linear light, 0 to 65535.
class Dng {
public:
    Dng(int width, int height) : width_(width), height_(height), cells_(static_cast<size_t>(width * height)) {}

    /// White balance of the camera: what the three filters read of a grey surface.
    std::array<double, 3> neutral{0.5, 1, 0.625};
    uint32_t orientation = 1;

    uint16_t& at(int x, int y) { return cells_[static_cast<size_t>(y * width_ + x)]; }
    /// Light of one strength and no colour of its own: 0 to 1.
    void setGrey(int x, int y, double light) {
        const size_t filter = static_cast<size_t>(x % 2 == 0 ? (y % 2 == 0 ? 0 : 1) : (y % 2 == 0 ? 1 : 2));
        at(x, y) = static_cast<uint16_t>(65535 * light * neutral[filter]);
    }

    std::string content() const {
        std::vector<std::string> entries;
        std::string values;
        constexpr size_t kEntries = 22;
        constexpr size_t kBehind = 8 + 2 + 12 * kEntries + 4;
        const auto put = [&](uint32_t tag, uint32_t type, uint32_t count, std::string value) {
            const bool inside = value.size() <= 4;
            if (inside) value.resize(4, '\0');
            entries.push_back(little(tag, 2) + little(type, 2) + little(count, 4) +
                              (inside ? value : little(static_cast<uint32_t>(kBehind + values.size()), 4)));
            if (!inside) values += value + std::string(value.size() % 2, '\0');
        };
        const auto rationals = [&](const auto& numbers) {
            std::string all;
            for (const double number : numbers)
                all += little(static_cast<uint32_t>(static_cast<int32_t>(10000 * number)), 4) + little(10000, 4);
            return all;
        };
        const auto cells = static_cast<uint32_t>(2 * cells_.size());
        put(254, 4, 1, little(0, 4));
        put(256, 4, 1, little(static_cast<uint32_t>(width_), 4));
        put(257, 4, 1, little(static_cast<uint32_t>(height_), 4));
        put(258, 3, 1, little(16, 2));
        put(259, 3, 1, little(1, 2));
        put(262, 3, 1, little(32803, 2));
        put(271, 2, 5, std::string("Made\0", 5));
        put(272, 2, 5, std::string("Hand\0", 5));
        const size_t offsets = entries.size();
        put(273, 4, 1, "");
        put(274, 3, 1, little(orientation, 2));
        put(277, 3, 1, little(1, 2));
        put(278, 4, 1, little(static_cast<uint32_t>(height_), 4));
        put(279, 4, 1, little(cells, 4));
        put(33421, 3, 2, little(2, 2) + little(2, 2));
        put(33422, 1, 4, std::string("\0\1\1\2", 4));
        put(50706, 1, 4, std::string("\1\4\0\0", 4));
        put(50708, 2, 10, std::string("Made Hand\0", 10));
        put(50714, 4, 1, little(0, 4));
        put(50717, 4, 1, little(65535, 4));
        // From XYZ to the camera's colours: those of linear sRGB.
        put(50721, 10, 9, rationals(std::array{3.2406, -1.5372, -0.4986, -0.9689, 1.8758, 0.0415, 0.0557, -0.2040, 1.0570}));
        put(50728, 5, 3, rationals(neutral));
        put(50778, 3, 1, little(21, 2));
        EXPECT_EQ(entries.size(), kEntries);
        entries[offsets] = little(273, 2) + little(4, 2) + little(1, 4) + little(static_cast<uint32_t>(kBehind + values.size()), 4);
        std::string file = "II" + little(42, 2) + little(8, 4) + little(kEntries, 2);
        for (const std::string& entry : entries) file += entry;
        file += little(0, 4) + values;
        file.append(reinterpret_cast<const char*>(cells_.data()), cells);
        return file;
    }

private:
    static std::string little(uint32_t number, size_t size) { return bytesOf(number, size, std::endian::little); }

    int width_, height_;
    std::vector<uint16_t> cells_;
};

/// In two segments, as profiles of more than 64 KiB are.
inline std::string jpegWithProfile(const std::string& file, const std::string& profile) {
    const std::string head("ICC_PROFILE\0", 12);
    const size_t half = profile.size() / 2;
    return file.substr(0, 2) + jpegSegment('\xe2', head + "\2\2" + profile.substr(half)) +
           jpegSegment('\xe2', head + "\1\2" + profile.substr(0, half)) + file.substr(2);
}

inline std::string pngWithProfile(const std::string& file, const std::string& profile) {
    std::string deflated(compressBound(static_cast<uLong>(profile.size())), '\0');
    auto length = static_cast<uLongf>(deflated.size());
    compress(reinterpret_cast<Bytef*>(deflated.data()), &length, reinterpret_cast<const Bytef*>(profile.data()),
             static_cast<uLong>(profile.size()));
    const std::string body = "iCCP" + std::string("P3\0\0", 4) + deflated.substr(0, length);
    const uLong sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
    return file.substr(0, kPngHeader) + bytesOf(static_cast<uint32_t>(body.size() - 4), 4, std::endian::big) + body +
           bytesOf(static_cast<uint32_t>(sum), 4, std::endian::big) + file.substr(kPngHeader);
}

inline std::string webpWithProfile(const std::string& file, const std::string& profile, int width, int height) {
    const auto put = [](size_t number, size_t size) { return bytesOf(static_cast<uint32_t>(number), size, std::endian::little); };
    constexpr size_t kProfileFlag = 0x20;
    const std::string chunks = "WEBPVP8X" + put(10, 4) + put(kProfileFlag, 4) + put(static_cast<size_t>(width) - 1, 3) +
                               put(static_cast<size_t>(height) - 1, 3) + "ICCP" + put(profile.size(), 4) + profile +
                               std::string(profile.size() % 2, '\0') + file.substr(12);
    return "RIFF" + put(chunks.size(), 4) + chunks;
}

}  // namespace splat::test
