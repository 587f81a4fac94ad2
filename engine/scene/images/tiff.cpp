#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include <splatwright/core/error.h>
#include <splatwright/scene/cameras/camera_limits.h>
#include <splatwright/scene/images/codec.h>
#include <splatwright/scene/images/exif.h>
#include <splatwright/scene/images/missing_library.h>
#ifdef SPLAT_HAS_TIFF
#include <splatwright/scene/images/tiff_floats.h>
#include <splatwright/scene/images/tiff_samples.h>
#endif

namespace splat {
namespace {

using namespace std::string_view_literals;

/// Classic and big ones; cameras' raw files, which look alike, come before this format in the table.
bool recognises(std::span<const std::byte> head) {
    return startsWith(head, "II*\0"sv) || startsWith(head, "MM\0*"sv) || startsWith(head, "II+\0"sv) || startsWith(head, "MM\0+"sv);
}

/// The file itself: its first directory has the tags of EXIF.
FileBlock exif(const EncodedImage& file) { return file.bytes; }

#ifdef SPLAT_HAS_TIFF

/// Converts TIFF of every kind but CMYK and floating point, of up to 16 bits per channel, to 8 bits of red, green, blue and alpha, as the pixels are stored.
class Converter {
public:
    Converter(const TiffFile& tiff, const EncodedImage& file) {
        std::array<char, 1024> message{};
        good_ = TIFFRGBAImageBegin(&image_, tiff.tiff(), 1, message.data()) == 1;
        if (!good_)
            throw InputError("{}: TIFF of a kind that is not read: {}; expected up to 16 bits per channel of grey, RGB or a palette",
                             file.path.string(), message.data());
        image_.req_orientation = image_.orientation;  // nothing is turned here
    }
    ~Converter() { TIFFRGBAImageEnd(&image_); }
    Converter(const Converter&) = delete;
    Converter& operator=(const Converter&) = delete;

    ImageSize size() const { return {static_cast<int>(image_.width), static_cast<int>(image_.height)}; }
    int channels() const { return image_.alpha != 0 ? 4 : 3; }
    /// Pixels of `rows` rows from row y.
    bool read(uint32_t y, uint32_t rows, std::vector<uint32_t>& pixels) {
        image_.row_offset = static_cast<int>(y);
        return TIFFRGBAImageGet(&image_, pixels.data(), image_.width, rows) == 1;
    }

private:
    TIFFRGBAImage image_{};
    bool good_ = false;
};

/// A size that libtiff's type for it cannot hold is checked before it is converted.
bool hasSize(const TiffFile& tiff) {
    return tiff.width() > 0 && tiff.height() > 0 && tiff.width() <= kMaxSide && tiff.height() <= kMaxSide;
}

/// How the samples are read.
enum class Kind : uint8_t { converted, inks, floats };

Kind kindOf(const TiffFile& tiff) {
    if (tiff.field<uint16_t>(TIFFTAG_PHOTOMETRIC) == PHOTOMETRIC_SEPARATED) return Kind::inks;
    return tiff.format() == SAMPLEFORMAT_IEEEFP ? Kind::floats : Kind::converted;
}

void checkInks(const TiffFile& tiff, const EncodedImage& file) {
    const auto set = tiff.field<uint16_t>(TIFFTAG_INKSET);
    const bool known = (tiff.bits() == 8 || tiff.bits() == 16) && tiff.format() == SAMPLEFORMAT_UINT;
    if (set == INKSET_CMYK && tiff.channels() >= 4 && known) return;
    throw InputError(
        "{}: TIFF of ink set {}, with {} channels of {} bits in sample format {}, expected CMYK (1), at least 4, 8 or 16, and 1",
        file.path.string(), set, tiff.channels(), tiff.bits(), tiff.format());
}

void checkFloats(const TiffFile& tiff, const EncodedImage& file) {
    const auto photometric = tiff.field<uint16_t>(TIFFTAG_PHOTOMETRIC);
    const bool known = (photometric == PHOTOMETRIC_RGB && tiff.channels() >= 3) || photometric == PHOTOMETRIC_MINISBLACK;
    if (known && (tiff.bits() == 16 || tiff.bits() == 32)) return;
    throw InputError(
        "{}: TIFF of floating-point samples of {} bits, with photometric interpretation {} and {} channels, expected 16 or 32 bits of grey "
        "(1) or RGB (2)",
        file.path.string(), tiff.bits(), photometric, tiff.channels());
}

ImageHeader headerOfSamples(const TiffFile& tiff, const EncodedImage& head) {
    const bool inks = kindOf(tiff) == Kind::inks;
    inks ? checkInks(tiff, head) : checkFloats(tiff, head);
    const uint64_t bytes = TiffSamples::bytesFor(tiff);
    if (bytes > 2 * kMostTiffBytesAtOnce)
        throw InputError("{}: TIFF whose strips or tiles take {} bytes, expected at most {}", head.path.string(), bytes,
                         2 * kMostTiffBytesAtOnce);
    return {.size = {static_cast<int>(tiff.width()), static_cast<int>(tiff.height())},
            .channels = !inks && TiffFloats(tiff, {}).hasAlpha() ? 4 : 3,
            .decoderBytes = bytes,
            .inks = inks};
}

/// Of a strip or a tile, in every plane, and of its converted rows.
ImageHeader headerOfConverted(const TiffFile& tiff, const EncodedImage& head) {
    // libtiff would take signed samples for others.
    if (tiff.format() != SAMPLEFORMAT_UINT && tiff.format() != SAMPLEFORMAT_VOID)
        throw InputError("{}: TIFF of samples in format {}, expected unsigned integers (1) or floating point (3)", head.path.string(),
                         tiff.format());
    const Converter converter(tiff, head);
    const uint64_t rowBytes = uint64_t{tiff.width()} * sizeof(uint32_t);
    return {.size = converter.size(),
            .channels = converter.channels(),
            .decoderBytes = tiff.partBytes() * (tiff.separate() ? tiff.channels() : 1U) + tiff.rowsAtOnce() * rowBytes};
}

std::optional<ImageHeader> header(const EncodedImage& head) {
    if (!head.whole) return std::nullopt;  // directories may be anywhere
    const TiffFile tiff(head);
    if (!tiff.tiff() || !hasSize(tiff)) return std::nullopt;
    ImageHeader header = kindOf(tiff) == Kind::converted ? headerOfConverted(tiff, head) : headerOfSamples(tiff, head);
    header.leastBytes = tiff.field<uint16_t>(TIFFTAG_COMPRESSION) == COMPRESSION_NONE ? TIFFScanlineSize64(tiff.tiff()) * tiff.height()
                                                                                      : leastBytesFor(header.pixels());
    return header;
}

[[noreturn]] void refuseDamaged(const TiffFile& tiff, const EncodedImage& file) {
    throw InputError("{}: damaged or truncated TIFF: {}", file.path.string(), tiff.message());
}

/// libtiff multiplies colours by alpha.
void unpack(std::span<const uint32_t> pixels, int channels, std::vector<uint8_t>& row) {
    row.clear();
    for (const uint32_t pixel : pixels) {
        const uint32_t alpha = TIFFGetA(pixel);
        for (const uint32_t value : {TIFFGetR(pixel), TIFFGetG(pixel), TIFFGetB(pixel)}) {
            const uint32_t straight = channels == 3 || alpha == 0 ? value : std::min(255U, (255 * value + alpha / 2) / alpha);
            row.push_back(static_cast<uint8_t>(straight));
        }
        if (channels == 4) row.push_back(static_cast<uint8_t>(alpha));
    }
}

void decodeConverted(const TiffFile& tiff, const EncodedImage& file, const ImageRow& row, const DecodingCheck& check) {
    Converter converter(tiff, file);
    const size_t width = tiff.width();
    std::vector<uint32_t> pixels(width * tiff.rowsAtOnce());
    std::vector<uint8_t> unpacked;
    for (uint32_t y = 0; y < tiff.height(); y += tiff.rowsAtOnce()) {
        check();
        const uint32_t rows = std::min(tiff.rowsAtOnce(), tiff.height() - y);
        if (!converter.read(y, rows, pixels) || tiff.message()[0] != '\0') refuseDamaged(tiff, file);
        for (uint32_t r = 0; r < rows; ++r) {
            unpack(std::span(pixels).subspan(r * width, width), converter.channels(), unpacked);
            row(static_cast<int>(y + r), unpacked);
        }
    }
}

/// The first four channels of a pixel.
void unpackInks(const TiffFile& tiff, std::span<const std::byte> samples, std::vector<uint8_t>& row) {
    const size_t sampleBytes = tiff.bits() / 8, pixelBytes = tiff.channels() * sampleBytes;
    row.clear();
    for (size_t at = 0; at < samples.size(); at += pixelBytes) {
        for (size_t c = 0; c < 4; ++c) {
            uint16_t value = std::to_integer<uint8_t>(samples[at + c]);
            if (sampleBytes == 2) std::memcpy(&value, &samples[at + 2 * c], sizeof value);
            row.push_back(static_cast<uint8_t>(sampleBytes == 2 ? (value + 128U) / 257 : value));
        }
    }
}

/// Calls unpackRow(samples, row) of every row.
template <class UnpackRow>
void decodeSamples(const TiffFile& tiff, const EncodedImage& file, const ImageRow& row, const DecodingCheck& check,
                   const UnpackRow& unpackRow) {
    TiffSamples reader(tiff);
    std::vector<std::byte> samples;
    std::vector<uint8_t> unpacked;
    for (uint32_t y = 0; y < tiff.height(); y += tiff.rowsAtOnce()) {
        check();
        const uint32_t rows = std::min(tiff.rowsAtOnce(), tiff.height() - y);
        if (!reader.read(y, rows, samples) || tiff.message()[0] != '\0') refuseDamaged(tiff, file);
        const size_t rowBytes = samples.size() / rows;
        for (uint32_t r = 0; r < rows; ++r) {
            unpackRow(std::span(samples).subspan(r * rowBytes, rowBytes), unpacked);
            row(static_cast<int>(y + r), unpacked);
        }
    }
}

FileBlock profileIn(const TiffFile& tiff) {
    uint32_t size = 0;
    const std::byte* bytes = nullptr;
    if (TIFFGetField(tiff.tiff(), TIFFTAG_ICCPROFILE, &size, &bytes) != 1 || size > kMostProfileBytes) return {};
    return FileBlock(std::vector<std::byte>(bytes, bytes + size));
}

void decode(const EncodedImage& file, const ImageRow& row, const DecodingCheck& check) {
    const TiffFile tiff(file);
    if (!tiff.tiff() || !hasSize(tiff)) refuseDamaged(tiff, file);
    switch (kindOf(tiff)) {
        case Kind::converted: return decodeConverted(tiff, file, row, check);
        case Kind::inks:
            return decodeSamples(tiff, file, row, check, [&](auto samples, auto& unpacked) { unpackInks(tiff, samples, unpacked); });
        case Kind::floats:
            TiffFloats floats(tiff, profileIn(tiff).bytes());
            return decodeSamples(tiff, file, row, check, [&](auto samples, auto& unpacked) { floats.unpack(samples, unpacked); });
    }
}

/// Floating-point samples are decoded to sRGB.
FileBlock profile(const EncodedImage& file) {
    const TiffFile tiff(file);
    return tiff.tiff() && kindOf(tiff) != Kind::floats ? profileIn(tiff) : FileBlock();
}

#else

std::optional<ImageHeader> header(const EncodedImage& head) { refuseWithout(head, "TIFF", "libtiff-dev"); }
void decode(const EncodedImage& file, const ImageRow&, const DecodingCheck&) { header(file); }
FileBlock profile(const EncodedImage&) { return {}; }

#endif

}  // namespace

const ImageCodec kTiffCodec{.name = "TIFF", .recognises = recognises, .header = header, .decode = decode, .exif = exif, .profile = profile};

}  // namespace splat
