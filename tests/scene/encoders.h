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

}  // namespace splat::test
