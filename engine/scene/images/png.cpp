#include <algorithm>
#include <array>
#include <bit>
#include <csetjmp>
#include <cstring>

#include <png.h>
#include <zlib.h>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/input_file.h>
#include <splatwright/scene/images/codec.h>
#include <splatwright/scene/images/exif.h>

namespace splat {
namespace {

constexpr uint64_t kDeflateMaximum = 1032;  // Deflate cannot shrink further than this, so fewer bytes mean a cut or forged file
constexpr int kCompressionLevel = 4;        // half the time of zlib's default 6 for files a few per cent larger

/// State of libpng's handlers; libpng reports failure by jumping, so each call into it runs below a setjmp.
struct Session {
    std::jmp_buf escape{};
    std::array<char, 256> message{};
    std::span<const std::byte> input;
    std::vector<std::byte>* output = nullptr;
};

[[noreturn]] void fail(png_structp png, png_const_charp message) {
    auto& session = *static_cast<Session*>(png_get_error_ptr(png));
    std::strncpy(session.message.data(), message, session.message.size() - 1);
    std::longjmp(session.escape, 1);
}

void ignoreWarning(png_structp, png_const_charp) {}

/// False when memory ran out: an exception must not cross libpng's frames.
bool append(std::vector<std::byte>& output, const std::byte* data, size_t count) noexcept {
    try {
        output.insert(output.end(), data, data + count);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

void collect(png_structp png, png_bytep data, size_t count) {
    auto& output = *static_cast<Session*>(png_get_io_ptr(png))->output;
    if (!append(output, reinterpret_cast<const std::byte*>(data), count)) png_error(png, "out of memory");
}

struct Reader {
    Session session;
    png_structp png = nullptr;
    png_infop info = nullptr;

    explicit Reader(std::span<const std::byte> bytes) {
        session.input = bytes;
        png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &session, fail, ignoreWarning);
        SPLAT_CHECK(png != nullptr, "libpng {}", PNG_LIBPNG_VER_STRING);
    }
    ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
};

// The functions below hold no object with a destructor, because longjmp would skip it.

bool readHeader(Reader& reader) {
    if (setjmp(reader.session.escape) != 0) return false;
    reader.info = png_create_info_struct(reader.png);
    png_set_read_fn(reader.png, &reader.session, [](png_structp png, png_bytep target, size_t count) {
        auto& input = static_cast<Session*>(png_get_io_ptr(png))->input;
        if (input.size() < count) png_error(png, "the file ends early");
        std::memcpy(target, input.data(), count);
        input = input.subspan(count);
    });
    // libpng takes as much memory for this chunk as it claims to have; exif() reads it.
    png_set_keep_unknown_chunks(reader.png, PNG_HANDLE_CHUNK_NEVER, reinterpret_cast<png_const_bytep>("eXIf"), 1);
    png_read_info(reader.png, reader.info);
    return true;
}

/// A zlib stream's content; empty if it is damaged or longer than `most`.
std::vector<std::byte> inflated(std::span<const std::byte> stream, size_t most) {
    for (size_t size = std::min<size_t>(most, 16 * stream.size() + 4096);; size = std::min(most, 8 * size)) {
        std::vector<std::byte> content(size);
        auto length = static_cast<uLongf>(size);
        const int result = uncompress(reinterpret_cast<Bytef*>(content.data()), &length, reinterpret_cast<const Bytef*>(stream.data()),
                                      static_cast<uLong>(stream.size()));
        content.resize(result == Z_OK ? length : 0);
        if (result != Z_BUF_ERROR || size == most) return content;
    }
}

/// Converts every kind of PNG to 8-bit RGB, or RGBA if it has an alpha channel or transparent colours.
bool convertToRgb8(Reader& reader) {
    if (setjmp(reader.session.escape) != 0) return false;
    png_set_expand(reader.png);
    png_set_scale_16(reader.png);
    png_set_gray_to_rgb(reader.png);
    png_set_interlace_handling(reader.png);
    png_read_update_info(reader.png, reader.info);
    return true;
}

/// Leaves 16-bit grey values as they are, in the host's byte order.
bool keepGrey16(Reader& reader) {
    if (setjmp(reader.session.escape) != 0) return false;
    if (std::endian::native == std::endian::little) png_set_swap(reader.png);
    png_set_interlace_handling(reader.png);
    png_read_update_info(reader.png, reader.info);
    return true;
}

bool readRow(Reader& reader, png_bytep row) {
    if (setjmp(reader.session.escape) != 0) return false;
    png_read_row(reader.png, row, nullptr);
    return true;
}

bool readAllRows(Reader& reader, png_bytepp rows) {
    if (setjmp(reader.session.escape) != 0) return false;
    png_read_image(reader.png, rows);
    return true;
}

bool readEnd(Reader& reader) {
    if (setjmp(reader.session.escape) != 0) return false;
    png_read_end(reader.png, nullptr);
    return true;
}

template <class T>
std::vector<png_bytep> rowsOf(Image<T>& image) {
    std::vector<png_bytep> rows(static_cast<size_t>(image.height));
    for (int y = 0; y < image.height; ++y)
        rows[static_cast<size_t>(y)] = reinterpret_cast<png_bytep>(image.pixels.data() + image.index(0, y));
    return rows;
}

void require(bool success, const Reader& reader, const EncodedImage& file) {
    if (!success) throw InputError("{}: damaged or truncated PNG: {}", file.path.string(), reader.session.message.data());
}

bool isInterlaced(const Reader& reader) { return png_get_interlace_type(reader.png, reader.info) != PNG_INTERLACE_NONE; }

/// Of the header before conversion; an interlaced picture comes row by row only once all of it is there.
ImageHeader headerOf(const Reader& reader) {
    const bool alpha = (png_get_color_type(reader.png, reader.info) & PNG_COLOR_MASK_ALPHA) != 0 ||
                       png_get_valid(reader.png, reader.info, PNG_INFO_tRNS) != 0;
    const uint64_t height = png_get_image_height(reader.png, reader.info);
    ImageHeader header{.size = {static_cast<int>(png_get_image_width(reader.png, reader.info)), static_cast<int>(height)},
                       .channels = alpha ? 4 : 3,
                       .leastBytes = png_get_rowbytes(reader.png, reader.info) * height / kDeflateMaximum};
    if (isInterlaced(reader)) header.decoderBytes = header.pixels() * static_cast<uint64_t>(header.channels);
    return header;
}

std::optional<ImageHeader> header(const EncodedImage& head) {
    Reader reader(head.bytes);
    return readHeader(reader) ? std::optional(headerOf(reader)) : std::nullopt;
}

void decode(const EncodedImage& file, const ImageRow& row, const DecodingCheck& check) {
    Reader reader(file.bytes);
    require(readHeader(reader), reader, file);
    const ImageHeader header = headerOf(reader);
    require(convertToRgb8(reader), reader, file);
    const size_t rowBytes = static_cast<size_t>(header.size.width) * static_cast<size_t>(header.channels);
    SPLAT_CHECK(png_get_rowbytes(reader.png, reader.info) == rowBytes, "{} bytes a row, expected {}",
                png_get_rowbytes(reader.png, reader.info), rowBytes);
    if (isInterlaced(reader)) {
        Image8 image(header.size.width, header.size.height, header.channels);
        std::vector<png_bytep> rows = rowsOf(image);
        require(readAllRows(reader, rows.data()), reader, file);
        for (int y = 0; y < image.height; ++y) row(y, std::span(image.pixels).subspan(image.index(0, y), rowBytes));
    } else {
        std::vector<uint8_t> pixels(rowBytes);
        for (int y = 0; y < header.size.height; ++y) {
            require(readRow(reader, pixels.data()), reader, file);
            check();
            row(y, pixels);
        }
    }
    require(readEnd(reader), reader, file);
}

bool recognises(std::span<const std::byte> head) { return startsWith(head, "\x89PNG\r\n\x1a\n"); }

/// The content of the first chunk of a type, which may be anywhere; nothing if there is none. Chunks: length, type, content, checksum.
std::optional<std::span<const std::byte>> chunkOf(const EncodedImage& file, std::string_view type) {
    std::span<const std::byte> rest = file.bytes.subspan(8);
    while (rest.size() >= 12) {
        const size_t length = numberAt(rest, 0, 4, std::endian::big);
        if (length > rest.size() - 12) break;
        if (startsWith(rest.subspan(4), type)) return rest.subspan(8, length);
        rest = rest.subspan(length + 12);
    }
    return std::nullopt;
}

/// Extensions to the PNG Specification 1.5.0.
FileBlock exif(const EncodedImage& file) { return chunkOf(file, "eXIf").value_or(std::span<const std::byte>()); }

/// Deflated, behind a name that ends with a zero and a zero. The chunk sRGB takes the place of a profile.
FileBlock profile(const EncodedImage& file) {
    const auto chunk = chunkOf(file, "iCCP");
    if (!chunk || chunkOf(file, "sRGB")) return {};
    const auto name = static_cast<size_t>(std::ranges::find(*chunk, std::byte{0}) - chunk->begin());
    if (name + 2 > chunk->size()) return {};
    return FileBlock(inflated(chunk->subspan(name + 2), kMostProfileBytes));
}

struct Writer {
    Session session;
    png_structp png = nullptr;
    png_infop info = nullptr;

    explicit Writer(std::vector<std::byte>& output) {
        session.output = &output;
        png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &session, fail, ignoreWarning);
        SPLAT_CHECK(png != nullptr, "libpng {}", PNG_LIBPNG_VER_STRING);
    }
    ~Writer() { png_destroy_write_struct(&png, &info); }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
};

struct PngKind {
    int width, height, bits, colours;
};

bool encode(Writer& writer, const PngKind& kind, png_bytepp rows) {
    if (setjmp(writer.session.escape) != 0) return false;
    writer.info = png_create_info_struct(writer.png);
    png_set_write_fn(writer.png, &writer.session, collect, nullptr);
    png_set_compression_level(writer.png, kCompressionLevel);
    png_set_IHDR(writer.png, writer.info, static_cast<png_uint_32>(kind.width), static_cast<png_uint_32>(kind.height), kind.bits,
                 kind.colours, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(writer.png, writer.info);
    if (kind.bits == 16 && std::endian::native == std::endian::little) png_set_swap(writer.png);
    png_write_image(writer.png, rows);
    png_write_end(writer.png, nullptr);
    return true;
}

template <class T>
void writeImage(const std::filesystem::path& path, const Image<T>& image, int colours) {
    SPLAT_CHECK(image.width > 0 && image.height > 0, "{}x{}", image.width, image.height);
    std::vector<std::byte> encoded;
    Writer writer(encoded);
    // libpng's interface wants mutable rows but only reads them.
    std::vector<png_bytep> rows = rowsOf(const_cast<Image<T>&>(image));
    if (!encode(writer, {image.width, image.height, 8 * static_cast<int>(sizeof(T)), colours}, rows.data()))
        throw Error("{}: cannot be encoded as PNG: {}", path.string(), writer.session.message.data());
    writeFileAtomically(path, encoded);
}

}  // namespace

const ImageCodec kPngCodec{.name = "PNG", .recognises = recognises, .header = header, .decode = decode, .exif = exif, .profile = profile};

void writePng(const std::filesystem::path& path, const Image8& image) {
    SPLAT_CHECK(image.channels == 3 || image.channels == 4, "{} channels", image.channels);
    writeImage(path, image, image.channels == 4 ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB);
}

void writeGrey16(const std::filesystem::path& path, const Image16& image) {
    SPLAT_CHECK(image.channels == 1, "{} channels", image.channels);
    writeImage(path, image, PNG_COLOR_TYPE_GRAY);
}

Image16 readGrey16(const std::filesystem::path& path, const ImageHeader& header) {
    const std::vector<std::byte> bytes = readFile(path);
    const EncodedImage file{path, bytes};
    if (!recognises(bytes)) throw InputError("{}: unknown picture format, expected PNG", path.string());
    Reader reader(bytes);
    require(readHeader(reader), reader, file);
    if (headerOf(reader).size != header.size) throw InputError("{}: the file has changed while it was read", path.string());
    const int depth = png_get_bit_depth(reader.png, reader.info), type = png_get_color_type(reader.png, reader.info);
    if (type != PNG_COLOR_TYPE_GRAY || depth != 16)
        throw InputError("{}: PNG has {} bits per channel and colour type {}, expected 16 bits and 0 (grey)", path.string(), depth, type);
    require(keepGrey16(reader), reader, file);
    Image16 image(header.size.width, header.size.height, 1);
    std::vector<png_bytep> rows = rowsOf(image);
    require(readAllRows(reader, rows.data()), reader, file);
    require(readEnd(reader), reader, file);
    return image;
}

}  // namespace splat
