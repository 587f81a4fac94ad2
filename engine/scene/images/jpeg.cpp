#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <exception>
#include <map>

#include <jpeglib.h>
// after jpeglib.h, which it needs
#include <jerror.h>

#include <splatwright/core/error.h>
#include <splatwright/scene/images/codec.h>
#include <splatwright/scene/images/exif.h>

namespace splat {
namespace {

/// libjpeg reports failure by never returning from its handler, so each call into it runs below a setjmp.
struct Decoder {
    jpeg_error_mgr errors{};
    std::jmp_buf escape{};
    std::array<char, JMSG_LENGTH_MAX> message{};
    jpeg_decompress_struct jpeg{};
    jpeg_progress_mgr progress{};
    int mostScans = 0;
    const DecodingCheck* check = nullptr;
    std::exception_ptr stop;  ///< thrown by the check

    Decoder();
    ~Decoder() { jpeg_destroy_decompress(&jpeg); }
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;
};

[[noreturn]] void fail(j_common_ptr jpeg) {
    auto& decoder = *static_cast<Decoder*>(jpeg->client_data);
    jpeg->err->format_message(jpeg, decoder.message.data());
    std::longjmp(decoder.escape, 1);
}

/// Blocks of 8x8 values, of all components.
uint64_t blocksOf(const jpeg_decompress_struct& jpeg) {
    uint64_t blocks = 0;
    for (int i = 0; i < jpeg.num_components; ++i) {
        const jpeg_component_info& component = jpeg.comp_info[i];
        blocks += uint64_t{component.width_in_blocks} * component.height_in_blocks;
    }
    return blocks;
}

/// Called per row of blocks in every scan.
void watch(j_common_ptr jpeg) {
    auto& decoder = *static_cast<Decoder*>(jpeg->client_data);
    try {
        (*decoder.check)();
    } catch (...) {
        decoder.stop = std::current_exception();
    }
    const bool tooMany = decoder.jpeg.input_scan_number > decoder.mostScans;
    if (tooMany)
        std::snprintf(decoder.message.data(), decoder.message.size(), "more than %d scans, expected at most so many for its size",
                      decoder.mostScans);
    if (tooMany || decoder.stop) std::longjmp(decoder.escape, 1);
}

Decoder::Decoder() {
    jpeg.err = jpeg_std_error(&errors);
    jpeg.client_data = this;
    errors.error_exit = fail;
    // libjpeg fills missing data with grey, which would be trained on, so that is an error. Harmless warnings for some cameras' files are ignored.
    errors.emit_message = [](j_common_ptr common, int level) {
        if (level >= 0) return;
        switch (common->err->msg_code) {
            case JWRN_JPEG_EOF:
            case JWRN_HIT_MARKER:
            case JWRN_HUFF_BAD_CODE:
            case JWRN_MUST_RESYNC: fail(common);
            default: break;
        }
    };
}

// The functions below hold no object with a destructor, because longjmp would skip it.

bool readHeader(Decoder& decoder, const EncodedImage& file) {
    if (setjmp(decoder.escape) != 0) return false;
    jpeg_create_decompress(&decoder.jpeg);
    jpeg_mem_src(&decoder.jpeg, file.data(), static_cast<unsigned long>(file.size()));
    jpeg_read_header(&decoder.jpeg, TRUE);
    return true;
}

bool hasInks(const jpeg_decompress_struct& jpeg) { return jpeg.jpeg_color_space == JCS_CMYK || jpeg.jpeg_color_space == JCS_YCCK; }

/// libjpeg converts YCCK to CMYK but neither to RGB.
bool start(Decoder& decoder) {
    if (setjmp(decoder.escape) != 0) return false;
    decoder.jpeg.out_color_space = hasInks(decoder.jpeg) ? JCS_CMYK : JCS_RGB;
    jpeg_start_decompress(&decoder.jpeg);
    return true;
}

bool readRow(Decoder& decoder, uint8_t* pixels) {
    if (setjmp(decoder.escape) != 0) return false;
    JSAMPROW row = pixels;
    jpeg_read_scanlines(&decoder.jpeg, &row, 1);
    return true;
}

bool finish(Decoder& decoder) {
    if (setjmp(decoder.escape) != 0) return false;
    jpeg_finish_decompress(&decoder.jpeg);
    return true;
}

void require(bool success, const Decoder& decoder, const EncodedImage& file) {
    if (decoder.stop) std::rethrow_exception(decoder.stop);
    if (!success) throw InputError("{}: damaged or truncated JPEG: {}", file.path.string(), decoder.message.data());
}

/// Every block has a Huffman code of at least one bit. Several scans make the decoder keep the coefficients of the whole picture.
std::optional<ImageHeader> header(const EncodedImage& head) {
    Decoder decoder;
    if (!readHeader(decoder, head)) return std::nullopt;
    jpeg_decompress_struct& jpeg = decoder.jpeg;
    const uint64_t blocks = blocksOf(jpeg);
    return ImageHeader{.size = {static_cast<int>(jpeg.image_width), static_cast<int>(jpeg.image_height)},
                       .leastBytes = jpeg.arith_code != 0 ? 0 : blocks / 8,
                       .decoderBytes = jpeg_has_multiple_scans(&jpeg) != 0 ? blocks * sizeof(JBLOCK) : 0,
                       .inks = hasInks(jpeg)};
}

void decode(const EncodedImage& file, const ImageRow& row, const DecodingCheck& check) {
    Decoder decoder;
    require(readHeader(decoder, file), decoder, file);
    // A scan of a few bytes may visit every block of the picture. Encoders write about ten; libjpeg-turbo's own tools take 500.
    constexpr uint64_t kFewest = 32, kMost = 500, kMostBlocks = uint64_t{1} << 26U;  // visited in a few seconds
    const uint64_t blocks = blocksOf(decoder.jpeg);
    decoder.mostScans = static_cast<int>(std::clamp(kMostBlocks / std::max<uint64_t>(blocks, 1), kFewest, kMost));
    decoder.check = &check;
    decoder.progress.progress_monitor = watch;
    decoder.jpeg.progress = &decoder.progress;
    require(start(decoder), decoder, file);
    std::vector<uint8_t> pixels(size_t{decoder.jpeg.output_width} * static_cast<size_t>(decoder.jpeg.output_components));
    for (int y = 0; y < static_cast<int>(decoder.jpeg.output_height); ++y) {
        require(readRow(decoder, pixels.data()), decoder, file);
        // Adobe's programs store inks inverted. Files without their marker are read alike, as in WebKit and Firefox.
        if (hasInks(decoder.jpeg)) std::ranges::transform(pixels, pixels.begin(), [](uint8_t stored) { return 255 - stored; });
        row(y, pixels);
    }
    require(finish(decoder), decoder, file);
}

/// Calls take(marker, content) for the segments before the first scan (ITU-T T.81, B.1.1) until it returns true.
template <class Take>
void findSegment(const EncodedImage& file, const Take& take) {
    constexpr std::byte kStart{0xff}, kScan{0xda};
    std::span<const std::byte> rest = file.bytes.subspan(2);
    while (rest.size() >= 4 && rest[0] == kStart && rest[1] != kScan) {
        if (rest[1] == kStart) {  // a filler before the marker
            rest = rest.subspan(1);
            continue;
        }
        const size_t length = numberAt(rest, 2, 2, std::endian::big);  // counts itself
        if (length < 2 || length + 2 > rest.size()) break;
        if (take(rest[1], rest.subspan(4, length - 2))) return;
        rest = rest.subspan(length + 2);
    }
}

FileBlock exif(const EncodedImage& file) {
    constexpr std::byte kApp1{0xe1};
    FileBlock found;
    findSegment(file, [&](std::byte marker, std::span<const std::byte> content) {
        const bool isExif = marker == kApp1 && startsWith(content, kExifSignature);
        if (isExif) found = content;
        return isExif;
    });
    return found;
}

/// In segments of up to 64 KiB, each with its number from 1 and their count (ICC.1:2022, B.4).
FileBlock profile(const EncodedImage& file) {
    constexpr std::byte kApp2{0xe2};
    constexpr std::string_view kSignature("ICC_PROFILE\0", 12);
    std::map<std::byte, std::span<const std::byte>> parts;
    size_t expected = 0;
    findSegment(file, [&](std::byte marker, std::span<const std::byte> content) {
        if (marker != kApp2 || content.size() < kSignature.size() + 2 || !startsWith(content, kSignature)) return false;
        parts.emplace(content[kSignature.size()], content.subspan(kSignature.size() + 2));
        expected = std::to_integer<size_t>(content[kSignature.size() + 1]);
        return false;
    });
    std::vector<std::byte> whole;
    if (parts.size() != expected || parts.contains(std::byte{0})) return {};
    for (const auto& [number, part] : parts) whole.insert(whole.end(), part.begin(), part.end());
    return whole.size() > kMostProfileBytes ? FileBlock() : FileBlock(std::move(whole));
}

bool recognises(std::span<const std::byte> head) { return startsWith(head, "\xff\xd8\xff"); }

}  // namespace

const ImageCodec kJpegCodec{.name = "JPEG", .recognises = recognises, .header = header, .decode = decode, .exif = exif, .profile = profile};

}  // namespace splat
