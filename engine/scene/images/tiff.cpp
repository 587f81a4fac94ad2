#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#ifdef SPLAT_HAS_TIFF
#include <tiffio.h>
#endif

#include <splatwright/core/error.h>
#include <splatwright/scene/camera_limits.h>
#include <splatwright/scene/images/codec.h>
#include <splatwright/scene/images/exif.h>
#include <splatwright/scene/images/missing_library.h>

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

constexpr tmsize_t kMostAtOnce = tmsize_t{1} << 30;  // bytes of a single strip, tile or table

/// A file in memory, for libtiff's handlers.
struct Source {
    std::span<const std::byte> bytes;
    uint64_t offset = 0;
    std::array<char, 256> message{};
};

Source& sourceOf(thandle_t handle) { return *static_cast<Source*>(handle); }

tmsize_t readSource(thandle_t handle, void* target, tmsize_t count) {
    Source& source = sourceOf(handle);
    const size_t begin = std::min<uint64_t>(source.offset, source.bytes.size());
    const size_t length = std::min(static_cast<size_t>(std::max<tmsize_t>(count, 0)), source.bytes.size() - begin);
    std::memcpy(target, source.bytes.data() + begin, length);
    source.offset = begin + length;
    return static_cast<tmsize_t>(length);
}

tmsize_t refuseWrite(thandle_t, void*, tmsize_t) { return 0; }

toff_t seekSource(thandle_t handle, toff_t offset, int whence) {
    Source& source = sourceOf(handle);
    const uint64_t base = whence == SEEK_CUR ? source.offset : whence == SEEK_END ? source.bytes.size() : 0;
    return source.offset = base + offset;
}

int closeSource(thandle_t) { return 0; }
toff_t sizeOfSource(thandle_t handle) { return sourceOf(handle).bytes.size(); }

int mapSource(thandle_t handle, void** base, toff_t* size) {
    // libtiff's interface wants mutable bytes but only reads them.
    *base = const_cast<std::byte*>(sourceOf(handle).bytes.data());
    *size = sourceOf(handle).bytes.size();
    return 1;
}

void unmapSource(thandle_t, void*, toff_t) {}

/// The first message counts: later ones follow from it.
int takeError(TIFF*, void* data, const char*, const char* format, va_list values) {
    auto& message = static_cast<Source*>(data)->message;
    if (message[0] == '\0') std::vsnprintf(message.data(), message.size(), format, values);
    return 1;
}

int ignoreWarning(TIFF*, void*, const char*, const char*, va_list) { return 1; }

struct CloseTiff {
    void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};
struct FreeOptions {
    void operator()(TIFFOpenOptions* options) const { TIFFOpenOptionsFree(options); }
};

class Reader {
public:
    explicit Reader(const EncodedImage& file) : source_{.bytes = file.bytes} {
        const std::unique_ptr<TIFFOpenOptions, FreeOptions> options(TIFFOpenOptionsAlloc());
        TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), kMostAtOnce);
        TIFFOpenOptionsSetErrorHandlerExtR(options.get(), takeError, &source_);
        TIFFOpenOptionsSetWarningHandlerExtR(options.get(), ignoreWarning, nullptr);
        tiff_.reset(TIFFClientOpenExt("picture", "r", &source_, readSource, refuseWrite, seekSource, closeSource, sizeOfSource, mapSource,
                                      unmapSource, options.get()));
    }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    TIFF* tiff() const { return tiff_.get(); }
    const char* message() const { return source_.message.data(); }

    template <class T>
    T field(uint32_t tag, T absent = {}) const {
        T value{};
        return TIFFGetFieldDefaulted(tiff(), tag, &value) == 1 ? value : absent;
    }
    /// Rows that are decoded at once.
    uint32_t rowsAtOnce(uint32_t height) const {
        const auto rows = field<uint32_t>(TIFFIsTiled(tiff()) != 0 ? TIFFTAG_TILELENGTH : TIFFTAG_ROWSPERSTRIP, height);
        return std::clamp(rows, 1U, std::max(height, 1U));
    }

private:
    Source source_;
    std::unique_ptr<TIFF, CloseTiff> tiff_;
};

/// Converts every kind of TIFF of up to 16 bits per channel to 8 bits of red, green, blue and alpha, as the pixels are stored.
class Converter {
public:
    Converter(const Reader& reader, const EncodedImage& file) {
        std::array<char, 1024> message{};
        good_ = TIFFRGBAImageBegin(&image_, reader.tiff(), 1, message.data()) == 1;
        if (!good_)
            throw InputError("{}: TIFF of a kind that is not read: {}; expected up to 16 bits per channel of grey, RGB, CMYK or a palette",
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
bool hasSize(const Reader& reader) {
    const auto width = reader.field<uint32_t>(TIFFTAG_IMAGEWIDTH), height = reader.field<uint32_t>(TIFFTAG_IMAGELENGTH);
    return width > 0 && height > 0 && width <= kMaxSide && height <= kMaxSide;
}

/// Of a strip or a tile, in every plane, and of its converted rows.
uint64_t decoderBytesOf(const Reader& reader, ImageSize size) {
    TIFF* tiff = reader.tiff();
    const uint64_t part = TIFFIsTiled(tiff) != 0 ? TIFFTileSize64(tiff) : TIFFStripSize64(tiff);
    const bool planes = reader.field<uint16_t>(TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE;
    const uint64_t rows = reader.rowsAtOnce(static_cast<uint32_t>(size.height));
    return part * (planes ? reader.field<uint16_t>(TIFFTAG_SAMPLESPERPIXEL) : 1U) +
           rows * static_cast<uint64_t>(size.width) * sizeof(uint32_t);
}

std::optional<ImageHeader> header(const EncodedImage& head) {
    if (!head.whole) return std::nullopt;  // directories may be anywhere
    const Reader reader(head);
    if (!reader.tiff() || !hasSize(reader)) return std::nullopt;
    const Converter converter(reader, head);
    ImageHeader header{.size = converter.size(), .channels = converter.channels()};
    header.leastBytes = reader.field<uint16_t>(TIFFTAG_COMPRESSION) == COMPRESSION_NONE
                            ? TIFFScanlineSize64(reader.tiff()) * static_cast<uint64_t>(header.size.height)
                            : leastBytesFor(header.pixels());
    header.decoderBytes = decoderBytesOf(reader, header.size);
    return header;
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

void decode(const EncodedImage& file, const ImageRow& row, const DecodingCheck& check) {
    const Reader reader(file);
    if (!reader.tiff() || !hasSize(reader)) throw InputError("{}: damaged or truncated TIFF: {}", file.path.string(), reader.message());
    Converter converter(reader, file);
    const auto width = static_cast<size_t>(converter.size().width);
    const auto height = static_cast<uint32_t>(converter.size().height), atOnce = reader.rowsAtOnce(height);
    std::vector<uint32_t> pixels(width * atOnce);
    std::vector<uint8_t> unpacked;
    for (uint32_t y = 0; y < height; y += atOnce) {
        check();
        const uint32_t rows = std::min(atOnce, height - y);
        if (!converter.read(y, rows, pixels) || reader.message()[0] != '\0')
            throw InputError("{}: damaged or truncated TIFF: {}", file.path.string(), reader.message());
        for (uint32_t r = 0; r < rows; ++r) {
            unpack(std::span(pixels).subspan(r * width, width), converter.channels(), unpacked);
            row(static_cast<int>(y + r), unpacked);
        }
    }
}

FileBlock profile(const EncodedImage& file) {
    const Reader reader(file);
    uint32_t size = 0;
    const std::byte* bytes = nullptr;
    if (!reader.tiff() || TIFFGetField(reader.tiff(), TIFFTAG_ICCPROFILE, &size, &bytes) != 1 || size > kMostProfileBytes) return {};
    return FileBlock(std::vector<std::byte>(bytes, bytes + size));
}

#else

std::optional<ImageHeader> header(const EncodedImage& head) { refuseWithout(head, "TIFF", "libtiff-dev"); }
void decode(const EncodedImage& file, const ImageRow&, const DecodingCheck&) { header(file); }
FileBlock profile(const EncodedImage&) { return {}; }

#endif

}  // namespace

const ImageCodec kTiffCodec{.name = "TIFF", .recognises = recognises, .header = header, .decode = decode, .exif = exif, .profile = profile};

}  // namespace splat
