#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <memory>

#ifdef SPLAT_HAS_RAW
#include <libraw/libraw.h>
#endif

#include <splatwright/core/error.h>
#include <splatwright/scene/cameras/camera_limits.h>
#include <splatwright/scene/images/codec.h>
#include <splatwright/scene/images/cr3_boxes.h>
#include <splatwright/scene/images/exif.h>
#include <splatwright/scene/images/missing_library.h>

namespace splat {
namespace {

using namespace std::string_view_literals;

constexpr std::array kSignatures{
    "FUJIFILMCCD-RAW"sv,  // RAF
    "IIRO"sv,
    "IIRS"sv,
    "MMOR"sv,   // ORF
    "IIU\0"sv,  // RW2
};

/// TIFF by its first bytes, but with a directory that only cameras write: a DNG's version, Canon's signature, or a preview before the picture
/// itself (NEF, ARW, PEF).
bool isCamerasTiff(std::span<const std::byte> head) {
    constexpr uint32_t kSubfileType = 0x00fe, kCompression = 0x0103, kSubDirectories = 0x014a, kDngVersion = 0xc612;
    constexpr std::array<uint32_t, 3> kCompressions{32767, 34713, 65535};  // Sony's, Nikon's, Pentax's
    if (head.size() >= 10 && startsWith(head.subspan(8), "CR")) return startsWith(head, "II*\0"sv);
    const ExifBlock block(head);
    const auto first = block.firstDirectory();
    if (block.find(first, kDngVersion)) return true;
    const auto preview = block.find(first, kSubfileType), compression = block.find(first, kCompression);
    if (compression && std::ranges::find(kCompressions, block.whole(*compression).value_or(0)) != kCompressions.end()) return true;
    return preview && block.whole(*preview) == 1 && block.find(first, kSubDirectories);
}

bool isCr3(std::span<const std::byte> head) { return head.size() >= 12 && startsWith(head.subspan(4), "ftypcrx "); }

bool recognises(std::span<const std::byte> head) {
    const auto begins = [&](std::string_view signature) { return startsWith(head, signature); };
    return isCr3(head) || std::ranges::any_of(kSignatures, begins) || isCamerasTiff(head);
}

/// Pixels are converted to sRGB as they are developed.
FileBlock profile(const EncodedImage&) { return {}; }

#ifdef SPLAT_HAS_RAW

constexpr uint64_t kBytesPerPixel = 8 + 6 + 2;  // developed in four channels of 16 bits, converted, and as read

/// What LibRaw's handlers note.
struct Notes {
    const DecodingCheck* check;
    std::exception_ptr stop{};
    bool damaged = false;
};

/// An sRGB picture with the camera's own white balance, of 16 bits, as bright as it was exposed.
std::unique_ptr<LibRaw> developer() {
    auto raw = std::make_unique<LibRaw>();
    libraw_output_params_t& p = raw->imgdata.params;
    p.use_camera_wb = 1;
    p.no_auto_bright = 1;
    p.half_size = 0;
    p.output_color = 1;
    p.output_bps = 16;
    p.gamm[0] = 1 / 2.4;
    p.gamm[1] = 12.92;
    return raw;
}

int open(LibRaw& raw, const EncodedImage& file) {
    if (isCr3(file.bytes) && !cr3BoxesAreSound(file.bytes)) return LIBRAW_DATA_ERROR;
    return raw.open_buffer(const_cast<std::byte*>(file.bytes.data()), file.size());  // NOLINT: only read
}

/// LibRaw says no more than that there is a block of GPS: a place of zeros is none, and a height of zero is unknown.
std::optional<GeoPosition> positionOf(const libraw_gps_info_t& gps) {
    const auto degreesOf = [](const float(&parts)[3]) { return parts[0] + parts[1] / 60.0 + parts[2] / 3600.0; };
    GeoPosition position{degreesOf(gps.latitude), degreesOf(gps.longitude)};
    const bool inRange = position.latitude >= 0 && position.latitude <= 90 && position.longitude >= 0 && position.longitude <= 180;
    if (gps.gpsparsed == 0 || !inRange || (position.latitude == 0 && position.longitude == 0)) return std::nullopt;
    if (gps.latref == 'S') position.latitude = -position.latitude;
    if (gps.longref == 'W') position.longitude = -position.longitude;
    if (gps.altitude > 0 && gps.altitude < 1e5F) position.altitude = gps.altref == 1 ? -gps.altitude : gps.altitude;
    return position;
}

/// What LibRaw reads of a file, as a block of EXIF.
FileBlock exifByLibRaw(const EncodedImage& file) {
    const auto raw = developer();
    if (open(*raw, file) != LIBRAW_SUCCESS) return {};
    const libraw_data_t& data = raw->imgdata;
    const float asFilm =
        data.lens.FocalLengthIn35mmFormat > 0 ? data.lens.FocalLengthIn35mmFormat : data.lens.makernotes.FocalLengthIn35mmFormat;
    const auto known = [](float length) { return length > 0 && length < 1e5F ? length : 0; };
    return FileBlock(exifOf({.make = data.idata.make,
                             .model = data.idata.model,
                             .focalLength = known(data.other.focal_len),
                             .focalLength35 = static_cast<uint32_t>(std::lround(known(asFilm))),
                             .position = positionOf(data.other.parsed_gps)}));
}

std::optional<ImageHeader> header(const EncodedImage& head) {
    if (!head.whole) return std::nullopt;  // directories may be anywhere
    const auto raw = developer();
    if (open(*raw, head) != LIBRAW_SUCCESS || raw->adjust_sizes_info_only() != LIBRAW_SUCCESS) return std::nullopt;
    const libraw_image_sizes_t& s = raw->imgdata.sizes;
    const uint64_t stored = uint64_t{s.raw_width} * s.raw_height;
    ImageHeader header{.size = {s.iwidth, s.iheight}};
    header.leastBytes = leastBytesFor(std::max(stored, header.pixels()));
    header.decoderBytes = std::max(stored, header.pixels()) * kBytesPerPixel;
    return header;
}

/// LibRaw's errors are numbers.
void require(int result, const Notes& notes, const EncodedImage& file) {
    if (notes.stop) std::rethrow_exception(notes.stop);
    if (result != LIBRAW_SUCCESS) throw InputError("{}: damaged or unknown raw file: {}", file.path.string(), LibRaw::strerror(result));
    if (notes.damaged) throw InputError("{}: damaged or truncated raw file", file.path.string());
}

void decode(const EncodedImage& file, const ImageRow& row, const DecodingCheck& check) {
    Notes notes{&check};
    const auto raw = developer();
    const auto askToGoOn = [](void* data, LibRaw_progress, int, int) {
        auto& noted = *static_cast<Notes*>(data);
        try {
            (*noted.check)();
        } catch (...) {
            noted.stop = std::current_exception();
        }
        return noted.stop ? 1 : 0;
    };
    raw->set_progress_handler(askToGoOn, &notes);
    // LibRaw goes on with zeros for missing data, which would be trained on. Its versions differ in the type of the offset.
    raw->set_dataerror_handler([](void* data, const char*, auto) { static_cast<Notes*>(data)->damaged = true; }, &notes);
    require(open(*raw, file), notes, file);
    require(raw->unpack(), notes, file);
    require(raw->dcraw_process(), notes, file);
    int result = LIBRAW_SUCCESS;
    const std::unique_ptr<libraw_processed_image_t, decltype(&LibRaw::dcraw_clear_mem)> image(raw->dcraw_make_mem_image(&result),
                                                                                              LibRaw::dcraw_clear_mem);
    require(result, notes, file);
    if (!image || image->bits != 16 || (image->colors != 3 && image->colors != 1))
        throw InputError("{}: raw file of a kind that is not read, expected one with colours", file.path.string());
    const auto* values = reinterpret_cast<const uint16_t*>(image->data);
    std::vector<uint8_t> pixels(size_t{3} * image->width);
    for (size_t y = 0; y < image->height; ++y) {
        const uint16_t* stored = values + y * image->width * image->colors;
        for (size_t i = 0; i < pixels.size(); ++i) {
            const uint32_t value = stored[image->colors == 3 ? i : i / 3];
            pixels[i] = static_cast<uint8_t>((value + 128) / 257);
        }
        row(static_cast<int>(y), pixels);
    }
}

#else

FileBlock exifByLibRaw(const EncodedImage&) { return {}; }
std::optional<ImageHeader> header(const EncodedImage& head) { refuseWithout(head, "a camera's raw file", "libraw-dev"); }
void decode(const EncodedImage& file, const ImageRow&, const DecodingCheck&) { header(file); }

#endif

/// Of TIFF's kind: the file itself. RAF: that of its preview, a JPEG. CR3 is of ISO's boxes, and ORF and RW2 begin unlike TIFF.
FileBlock exif(const EncodedImage& file) {
    FileBlock found = file.bytes;
    if (startsWith(file.bytes, kSignatures[0])) {
        const size_t stored = numberAt(file.bytes, 84, 4, std::endian::big), length = numberAt(file.bytes, 88, 4, std::endian::big);
        const size_t begin = std::min(stored, file.bytes.size());
        const EncodedImage preview{file.path, file.bytes.subspan(begin, std::min(length, file.bytes.size() - begin))};
        found = kJpegCodec.recognises(preview.bytes) ? kJpegCodec.exif(preview) : FileBlock();
    }
    return ExifBlock(found.bytes()).firstDirectory() != 0 ? std::move(found) : exifByLibRaw(file);
}

}  // namespace

const ImageCodec kRawCodec{
    .name = "raw", .recognises = recognises, .header = header, .decode = decode, .exif = exif, .profile = profile, .turns = true};

}  // namespace splat
