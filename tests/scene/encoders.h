#pragma once

#include <string>
#include <vector>

#include <csetjmp>
#include <cstdio>

#include <jpeglib.h>
#include <png.h>
#include <webp/encode.h>
#include <zlib.h>

#include <splatwright/core/image.h>

namespace splat::test {

/// Files as other programs write them, made in memory with the libraries themselves.

/// Four channels are inks, which libjpeg stores as they come: inverted ones as Adobe's programs do.
inline std::string encodeJpeg(const Image8& image, int quality = 95, bool progressive = false, bool asYcck = false) {
    jpeg_compress_struct jpeg{};
    jpeg_error_mgr errors{};
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    unsigned char* buffer = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&jpeg, &buffer, &size);
    jpeg.image_width = static_cast<JDIMENSION>(image.width);
    jpeg.image_height = static_cast<JDIMENSION>(image.height);
    jpeg.input_components = image.channels;
    jpeg.in_color_space = image.channels == 1 ? JCS_GRAYSCALE : image.channels == 4 ? JCS_CMYK : JCS_RGB;
    jpeg_set_defaults(&jpeg);
    if (asYcck) jpeg_set_colorspace(&jpeg, JCS_YCCK);
    jpeg_set_quality(&jpeg, quality, TRUE);
    if (progressive) jpeg_simple_progression(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    for (int y = 0; y < image.height; ++y) {
        JSAMPROW row = const_cast<JSAMPROW>(image.pixels.data() + image.index(0, y));
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    std::string file(reinterpret_cast<char*>(buffer), size);
    jpeg_destroy_compress(&jpeg);
    free(buffer);
    return file;
}

inline std::string encodeWebp(const Image8& image, bool lossless = true) {
    uint8_t* buffer = nullptr;
    const int stride = image.width * image.channels;
    const uint8_t* pixels = image.pixels.data();
    size_t size = 0;
    if (image.channels == 4)
        size = lossless ? WebPEncodeLosslessRGBA(pixels, image.width, image.height, stride, &buffer)
                        : WebPEncodeRGBA(pixels, image.width, image.height, stride, 90, &buffer);
    else
        size = lossless ? WebPEncodeLosslessRGB(pixels, image.width, image.height, stride, &buffer)
                        : WebPEncodeRGB(pixels, image.width, image.height, stride, 90, &buffer);
    std::string file(reinterpret_cast<char*>(buffer), size);
    WebPFree(buffer);
    return file;
}

/// A PNG of any kind: samples as the file stores them.
struct RawPng {
    int width, height, depth, colourType;
    std::vector<std::vector<uint8_t>> rows;
    std::vector<png_color> palette;
    std::vector<uint8_t> paletteAlpha;
    const png_color_16* transparent = nullptr;
    bool interlaced = false;
};

/// 8-bit RGB or RGBA.
inline RawPng rawPng(const Image8& image) {
    RawPng raw{.width = image.width,
               .height = image.height,
               .depth = 8,
               .colourType = image.channels == 4 ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB};
    const size_t rowBytes = static_cast<size_t>(image.width) * static_cast<size_t>(image.channels);
    for (int y = 0; y < image.height; ++y) {
        const uint8_t* row = &image.pixels[image.index(0, y)];
        raw.rows.emplace_back(row, row + rowBytes);
    }
    return raw;
}

inline std::string encodePng(RawPng raw) {
    std::string file;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(
        png, &file,
        [](png_structp p, png_bytep data, size_t size) {
            static_cast<std::string*>(png_get_io_ptr(p))->append(reinterpret_cast<char*>(data), size);
        },
        nullptr);
    png_set_IHDR(png, info, static_cast<png_uint_32>(raw.width), static_cast<png_uint_32>(raw.height), raw.depth, raw.colourType,
                 raw.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (!raw.palette.empty()) png_set_PLTE(png, info, raw.palette.data(), static_cast<int>(raw.palette.size()));
    if (!raw.paletteAlpha.empty() || raw.transparent) {
        png_set_tRNS(png, info, raw.paletteAlpha.empty() ? nullptr : raw.paletteAlpha.data(), static_cast<int>(raw.paletteAlpha.size()),
                     raw.transparent);
    }
    std::vector<png_bytep> rows;
    for (auto& row : raw.rows) rows.push_back(row.data());
    png_set_rows(png, info, rows.data());
    png_write_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
    png_destroy_write_struct(&png, &info);
    return file;
}

/// Smooth and different in every channel and pixel, so that a swapped axis or channel shows.
inline Image8 testImage(int width, int height, int channels) {
    Image8 image(width, height, channels);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            for (int c = 0; c < channels; ++c) {
                image.at(x, y)[static_cast<size_t>(c)] = static_cast<uint8_t>((40 + 5 * x + 3 * y * (c + 1) + 50 * c) % 255 + 1);
            }
        }
    }
    return image;
}

/// Big-endian bits, as entropy-coded data of a JPEG.
class JpegBits {
public:
    void put(uint32_t value, int count) {
        for (int i = count - 1; i >= 0; --i) {
            byte_ = byte_ << 1U | (value >> static_cast<uint32_t>(i) & 1U);
            if (++bits_ % 8 == 0) putByte();
        }
    }
    std::string content() {
        while (bits_ % 8 != 0) put(1, 1);
        return content_;
    }

private:
    void putByte() {
        content_ += static_cast<char>(byte_);
        if ((byte_ & 0xffU) == 0xffU) content_ += '\0';
    }

    std::string content_;
    uint32_t byte_ = 0, bits_ = 0;
};

inline std::string jpegSegmentOf(uint8_t marker, const std::string& content) {
    const size_t length = content.size() + 2;
    return std::string{'\xff', static_cast<char>(marker), static_cast<char>(length >> 8U), static_cast<char>(length)} + content;
}

/// A grey progressive JPEG with so many scans behind the first, each of a few bytes: runs of blocks without coefficients (ITU-T T.81, G.1.2.2).
inline std::string scannedJpeg(uint32_t width, uint32_t height, int scans) {
    const uint32_t blocks = (width + 7) / 8 * ((height + 7) / 8);
    const auto number = [](uint32_t value) { return std::string{static_cast<char>(value >> 8U), static_cast<char>(value)}; };
    const std::string oneCode = '\1' + std::string(15, '\0');  // of one bit
    JpegBits means, runs;
    for (uint32_t i = 0; i < blocks; ++i) means.put(0, 1);
    constexpr uint32_t kLeastRun = 1U << 14U;  // runs of category 14 have 2^14 blocks and more; what is beyond the last block is ignored
    for (uint32_t left = blocks; left > 0; left -= std::min(left, kLeastRun)) runs.put(0, 15);
    std::string file = "\xff\xd8" + jpegSegmentOf(0xdb, '\0' + std::string(64, '\1')) +
                       jpegSegmentOf(0xc2, '\x08' + number(height) + number(width) + std::string("\1\1\x11\0", 4)) +
                       jpegSegmentOf(0xc4, '\0' + oneCode + '\0') + jpegSegmentOf(0xc4, '\x10' + oneCode + '\xe0') +
                       jpegSegmentOf(0xda, std::string("\1\1\0\0\0\0", 6)) + means.content();
    const std::string scan = jpegSegmentOf(0xda, std::string("\1\1\0\1\x3f\0", 6)) + runs.content();
    for (int i = 0; i < scans; ++i) file += scan;
    return file + "\xff\xd9";
}

/// A black WebP in its lossless format, whose codes for a single colour take no bits at all.
inline std::string plainWebp(uint32_t width, uint32_t height) {
    uint64_t bits = 0x2f;
    bits |= uint64_t{width - 1} << 8U | uint64_t{height - 1} << 22U;  // no alpha, version 0, no transform, colour cache or meta code
    std::string data;
    for (int i = 0; i < 5; ++i) data += static_cast<char>(bits >> static_cast<uint32_t>(8 * i));
    data += std::string{'\x88', '\x88', '\x08'};  // behind three zeros, five codes of one symbol: 1, 0, 0, 0
    const std::string chunk = "VP8L" + std::string{static_cast<char>(data.size()), '\0', '\0', '\0'} + data;
    return "RIFF" + std::string{static_cast<char>(chunk.size() + 4), '\0', '\0', '\0'} + "WEBP" + chunk;
}

}  // namespace splat::test
