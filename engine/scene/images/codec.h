#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <splatwright/scene/images/image_file.h>

namespace splat {

/// An encoded image in memory and its path, for messages.
struct EncodedImage {
    const std::filesystem::path& path;
    std::span<const std::byte> bytes;
    bool whole = true;  ///< false: only the file's first bytes

    const uint8_t* data() const { return reinterpret_cast<const uint8_t*>(bytes.data()); }
    size_t size() const { return bytes.size(); }
};

/// Part of a file: a view of its bytes, or bytes that a library has copied.
class FileBlock {
public:
    FileBlock() = default;
    FileBlock(std::span<const std::byte> view) : view_(view) {}  // NOLINT: a view is a block
    explicit FileBlock(std::vector<std::byte> own) : own_(std::move(own)) {}

    std::span<const std::byte> bytes() const { return own_.empty() ? view_ : own_; }

private:
    std::vector<std::byte> own_;
    std::span<const std::byte> view_;
};

/// Larger colour profiles are ignored; those of printers have up to two million bytes.
inline constexpr size_t kMostProfileBytes = size_t{4} << 20U;

// A picture of one colour may take a few bytes in some formats.
inline constexpr uint64_t kHarmlessPixels = uint64_t{1} << 25U;  // 235 MB in WebP's decoder
inline constexpr uint64_t kMostPixelsPerByte = 4096;             // of larger pictures; a photograph of a white wall has 100

/// Least size of a file in a format that may shrink pictures of one colour to nothing.
inline uint64_t leastBytesFor(uint64_t pixels) { return pixels > kHarmlessPixels ? pixels / kMostPixelsPerByte : 0; }

/// One row of the table of image formats; each format is implemented in one file.
struct ImageCodec {
    const char* name;
    bool (*recognises)(std::span<const std::byte> head);
    /// Nothing if the header is too short or damaged.
    std::optional<ImageHeader> (*header)(const EncodedImage& head);
    /// Calls row() for each row from the top, of the header's width and channels, or of CMYK if it has inks; throws InputError. Takes no more memory than the header's
    /// decoderBytes and a few rows. Calls check() often; what that throws must pass.
    void (*decode)(const EncodedImage& file, const ImageRow& row, const DecodingCheck& check);
    /// The first block of EXIF of a recognised file, which may be damaged; empty: none.
    FileBlock (*exif)(const EncodedImage& file);
    /// The ICC profile of a recognised file's colours, which may be damaged; empty: none. At most kMostProfileBytes.
    FileBlock (*profile)(const EncodedImage& file);
    bool turns = false;  ///< decode() turns pixels as the file says, and its EXIF must not do so again
};

extern const ImageCodec kJpegCodec;
extern const ImageCodec kPngCodec;
extern const ImageCodec kWebpCodec;
extern const ImageCodec kHeicCodec;
extern const ImageCodec kAvifCodec;
extern const ImageCodec kTiffCodec;
extern const ImageCodec kRawCodec;

/// Whether the bytes start with a signature, which may contain zeros.
bool startsWith(std::span<const std::byte> bytes, std::string_view signature);

}  // namespace splat
