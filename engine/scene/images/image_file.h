#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include <splatwright/core/image.h>

namespace splat {

struct ImageSize {
    int width = 0;
    int height = 0;

    bool operator==(const ImageSize&) const = default;
};

/// How stored pixels are shown: the values of EXIF's tag Orientation (0x0112 in Exif 2.32), named by what is done to them. Rotations are clockwise.
enum class Orientation : uint8_t {
    stored = 1,
    mirrored,  ///< left and right are swapped
    rotated180,
    flipped,     ///< top and bottom are swapped
    transposed,  ///< rows become columns
    rotated90,
    transversed,  ///< rotated180 and transposed
    rotated270,
};

/// Contents of an image file's header, and what decoding it takes.
struct ImageHeader {
    ImageSize size;
    int channels = 3;           ///< after conversion: 3, or 4 with alpha
    uint64_t leastBytes = 0;    ///< minimum file size for this number of pixels
    uint64_t decoderBytes = 0;  ///< memory of the decoder; 0: it works row by row
    uint64_t fileBytes = 0;
    bool inks = false;  ///< stored as CMYK, which is converted

    uint64_t pixels() const { return static_cast<uint64_t>(size.width) * static_cast<uint64_t>(size.height); }
};

/// A place by GPS: WGS 84.
struct GeoPosition {
    double latitude = 0, longitude = 0;  ///< degrees, north and east
    std::optional<double> altitude{};    ///< metres above the sea
};

/// How a photograph was taken, as its EXIF says.
struct Shot {
    std::string make{}, model{};      ///< of the camera
    double focalLength = 0;           ///< millimetres; 0: unknown
    uint32_t focalLength35 = 0;       ///< of a camera for 35 mm film that sees as much, millimetres; 0: unknown
    double focalPlaneResolution = 0;  ///< pixels per unit; 0: unknown
    uint32_t focalPlaneUnit = 2;      ///< 2: inch, 3: centimetre
    std::optional<GeoPosition> position{};
};

/// Receives a row of interleaved 8-bit channels; y counts from the top.
using ImageRow = std::function<void(int y, std::span<const uint8_t> row)>;

/// Called often while an image is decoded. What it throws ends decoding and is thrown on.
using DecodingCheck = std::function<void()>;

/// Default limit of the image size.
inline constexpr uint32_t kDefaultMegapixels = 256;

/// Reads and checks a header without decoding. Throws InputError naming the path for a missing, foreign or damaged file, a side of more than
/// 65536 pixels, and for more pixels than the file's bytes can hold.
ImageHeader readImageHeader(const std::filesystem::path& path);

/// Also throws InputError for more than `megapixels` million pixels.
ImageHeader readImageHeader(const std::filesystem::path& path, uint32_t megapixels);

/// Orientation in the file's EXIF; `stored` if it has none or a damaged one. Throws InputError naming the path for a missing or foreign file.
Orientation readOrientation(const std::filesystem::path& path);

/// What EXIF says of how the photograph was taken; nothing if there is none or a damaged one. Throws InputError like readOrientation().
Shot readShot(const std::filesystem::path& path);

/// Decodes a file of any format of the table (README.md; detected by content) row by row as stored: 3 channels, or 4 with alpha; 16-bit and grey files
/// are converted, colours of an ICC profile to sRGB. Throws InputError naming the path for a damaged file, one that takes too long for its
/// bytes, and a header that has changed. Decoders of all threads together hold at most 1 GiB, or one of them alone more.
void readImageRows(const std::filesystem::path& path, const ImageHeader& header, const ImageRow& row, const DecodingCheck& check = {});

/// Decodes the whole image as stored.
Image8 readImage(const std::filesystem::path& path, uint32_t megapixels = kDefaultMegapixels);

/// Decodes a PNG of 16-bit grey values. Throws InputError naming the path for any other file, and like readImageRows().
Image16 readGrey16(const std::filesystem::path& path, const ImageHeader& header);

/// Writes one channel as PNG, like writePng().
void writeGrey16(const std::filesystem::path& path, const Image16& image);

/// Writes 3 channels as JPEG of a quality at which nothing is seen of it, with what is known of the shot as EXIF, like writePng().
void writeJpeg(const std::filesystem::path& path, const Image8& image, const Shot& shot);

/// Writes 3 or 4 channels as PNG, to a temporary that is then renamed. Throws Error if the file cannot be written.
void writePng(const std::filesystem::path& path, const Image8& image);

}  // namespace splat
