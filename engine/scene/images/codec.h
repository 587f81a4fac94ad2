#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include <splatwright/scene/image_file.h>

namespace splat {

/// An encoded image in memory and its path, for messages.
struct EncodedImage {
    const std::filesystem::path& path;
    std::span<const std::byte> bytes;

    const uint8_t* data() const { return reinterpret_cast<const uint8_t*>(bytes.data()); }
    size_t size() const { return bytes.size(); }
};

/// One row of the table of image formats; each format is implemented in one file.
struct ImageCodec {
    const char* name;
    bool (*recognises)(std::span<const std::byte> head);
    /// Nothing if the header is too short or damaged.
    std::optional<ImageHeader> (*header)(const EncodedImage& head);
    /// Calls row() for each row from the top, of the header's width and channels; throws InputError. Takes no more memory than the header's
    /// decoderBytes and a few rows. Calls check() often; what that throws must pass.
    void (*decode)(const EncodedImage& file, const ImageRow& row, const DecodingCheck& check);
    /// The first block of EXIF of a recognised file, which may be damaged; empty: none.
    std::span<const std::byte> (*exif)(const EncodedImage& file);
};

extern const ImageCodec kJpegCodec;
extern const ImageCodec kPngCodec;
extern const ImageCodec kWebpCodec;

/// Whether the bytes start with a signature, which may contain zeros.
bool startsWith(std::span<const std::byte> bytes, std::string_view signature);

}  // namespace splat
