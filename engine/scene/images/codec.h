#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "scene/image_file.h"

namespace splat {

/// An encoded picture in memory and where it came from, for messages.
struct EncodedImage {
    const std::filesystem::path& path;
    std::span<const std::byte> bytes;

    const uint8_t* data() const { return reinterpret_cast<const uint8_t*>(bytes.data()); }
    size_t size() const { return bytes.size(); }
};

/// One row of the table of picture formats; its functions live in one file each.
struct ImageCodec {
    const char* name;
    bool (*recognises)(std::span<const std::byte> head);
    /// Nothing when the head is too short or damaged.
    std::optional<ImageHeader> (*header)(const EncodedImage& head);
    /// Calls row() for each row from the top, of the header's width and channels; throws InputError. Takes no more memory than the header's
    /// decoderBytes and a few rows.
    void (*decode)(const EncodedImage& file, const ImageRow& row);
};

extern const ImageCodec kJpegCodec;
extern const ImageCodec kPngCodec;
extern const ImageCodec kWebpCodec;

/// Whether the bytes start with these; the length counts, so a signature may hold zeros.
bool startsWith(std::span<const std::byte> bytes, std::string_view signature);

}  // namespace splat
