#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

#include "core/image.h"
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
    std::optional<ImageSize> (*size)(const EncodedImage& head);
    /// 3 channels, or 4 where the file has alpha; throws InputError.
    Image8 (*decode)(const EncodedImage& file);
};

extern const ImageCodec kJpegCodec;
extern const ImageCodec kPngCodec;
extern const ImageCodec kWebpCodec;

/// Throws InputError unless the size is one that we are ready to allocate.
void checkImageSize(const EncodedImage& file, uint64_t width, uint64_t height);

/// Whether the bytes start with these; the length counts, so a signature may hold zeros.
bool startsWith(std::span<const std::byte> bytes, std::string_view signature);

}  // namespace splat
