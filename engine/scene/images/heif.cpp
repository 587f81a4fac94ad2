#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>

#ifdef SPLAT_HAS_HEIF
#include <libheif/heif.h>
#endif

#include <splatwright/core/error.h>
#include <splatwright/scene/cameras/camera_limits.h>
#include <splatwright/scene/images/codec.h>
#include <splatwright/scene/images/exif.h>
#include <splatwright/scene/images/hdr_to_srgb.h>
#include <splatwright/scene/images/heif_items.h>
#include <splatwright/scene/images/missing_library.h>
#include <splatwright/scene/images/to_srgb.h>

namespace splat {
namespace {

/// Whether the box `ftyp` at the start of a file names one of the brands (ISO/IEC 14496-12, 4.3), of four letters each.
bool hasBrand(std::span<const std::byte> head, std::span<const std::string_view> brands) {
    if (head.size() < 16 || !startsWith(head.subspan(4), "ftyp")) return false;
    const size_t length = std::min<size_t>(numberAt(head, 0, 4, std::endian::big), head.size());
    for (size_t at = 8; at + 4 <= length; at += 4) {
        const auto isHere = [&](std::string_view brand) { return at != 12 && startsWith(head.subspan(at), brand); };  // 12: a version
        if (std::ranges::any_of(brands, isHere)) return true;
    }
    return false;
}

bool isAvif(std::span<const std::byte> head) {
    constexpr std::array<std::string_view, 2> kBrands{"avif", "avis"};
    return hasBrand(head, kBrands);
}

/// mif1: a picture of any codec.
bool isHeic(std::span<const std::byte> head) {
    constexpr std::array<std::string_view, 9> kBrands{"heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1"};
    return !isAvif(head) && hasBrand(head, kBrands);
}

#ifdef SPLAT_HAS_HEIF

constexpr uint64_t kBytesPerPixel = 20;  // of the decoder, for 8 bits: frames of references, a frame, its colours; for more: twice as many

template <auto release>
struct Release {
    template <class T>
    void operator()(T* object) const {
        release(object);
    }
};
using Context = std::unique_ptr<heif_context, Release<heif_context_free>>;
using Handle = std::unique_ptr<heif_image_handle, Release<heif_image_handle_release>>;
using Picture = std::unique_ptr<heif_image, Release<heif_image_release>>;
using Options = std::unique_ptr<heif_decoding_options, Release<heif_decoding_options_free>>;

bool isGood(const heif_error& error) { return error.code == heif_error_Ok; }

/// The main picture of a file, which is not decoded.
struct Primary {
    Context context{heif_context_alloc()};
    Handle handle{};
    heif_error error{};

    explicit Primary(const EncodedImage& file) {
        heif_context_set_maximum_image_size_limit(context.get(), kMaxSide);
        error = heif_context_read_from_memory_without_copy(context.get(), file.data(), file.size(), nullptr);
        heif_image_handle* found = nullptr;
        if (isGood(error)) error = heif_context_get_primary_image_handle(context.get(), &found);
        handle.reset(found);
    }

    int bits() const { return std::max(8, heif_image_handle_get_luma_bits_per_pixel(handle.get())); }
    int channels() const { return heif_image_handle_has_alpha_channel(handle.get()) != 0 ? 4 : 3; }
    ImageSize size() const { return {heif_image_handle_get_width(handle.get()), heif_image_handle_get_height(handle.get())}; }
};

struct CodePoints {
    int primaries = 0, transfer = 0;
};

/// Code points of the file's colours (ITU-T H.273); nothing if it does not name them.
std::optional<CodePoints> codePointsOf(const Primary& primary) {
    heif_color_profile_nclx* found = nullptr;
    const heif_error error = heif_image_handle_get_nclx_color_profile(primary.handle.get(), &found);
    const std::unique_ptr<heif_color_profile_nclx, Release<heif_nclx_color_profile_free>> nclx(found);
    if (!isGood(error) || !nclx) return std::nullopt;
    return CodePoints{static_cast<int>(nclx->color_primaries), static_cast<int>(nclx->transfer_characteristics)};
}

bool isHdr(const CodePoints& points) {
    return points.transfer == static_cast<int>(HdrTransfer::pq) || points.transfer == static_cast<int>(HdrTransfer::hlg);
}

/// Curves of cameras and displays are taken as sRGB's, as browsers do. A profile has a curve of its own.
void checkCodePoints(const CodePoints& points, const Primary& primary, const EncodedImage& file) {
    constexpr std::array kUnlikeSrgb{5, 8, 9, 10, 17};  // gamma 2.8, linear light, two logarithms, cinema's gamma 2.6
    if (isHdr(points) && !findHdrPrimaries(points.primaries))
        throw InputError("{}: HDR picture with colour primaries {} (ITU-T H.273), expected 1, 9 or 12", file.path.string(),
                         points.primaries);
    const bool unlike = std::ranges::find(kUnlikeSrgb, points.transfer) != kUnlikeSrgb.end();
    if (unlike && heif_image_handle_get_raw_color_profile_size(primary.handle.get()) == 0)
        throw InputError("{}: picture with transfer characteristics {} (ITU-T H.273), expected sRGB's or alike, PQ (16) or HLG (18)",
                         file.path.string(), points.transfer);
}

/// Sizes are those after the file's own rotation and mirroring, which libheif applies.
std::optional<ImageHeader> header(const EncodedImage& head) {
    if (!head.whole) return std::nullopt;  // boxes may be anywhere
    const Primary primary(head);
    if (!primary.handle) return std::nullopt;
    if (const auto points = codePointsOf(primary)) checkCodePoints(*points, primary, head);
    ImageHeader header{.size = primary.size(), .channels = primary.channels()};
    header.leastBytes = leastBytesFor(header.pixels());
    header.decoderBytes = header.pixels() * kBytesPerPixel * (primary.bits() > 8 ? 2 : 1);
    return header;
}

Picture decodePrimary(const Primary& primary, const EncodedImage& file) {
    // A grid of tiles names a size of its own, which libheif allocates before it compares any: at most a square of the picture's longer side, of as
    // many pixels as the file's bytes may hold. Tiles may be larger than a small picture.
    constexpr double kLargestTile = 4096;
    const heif_image_handle* handle = primary.handle.get();
    const auto longest = std::max(
        {primary.size().width, primary.size().height, heif_image_handle_get_ispe_width(handle), heif_image_handle_get_ispe_height(handle)});
    const double plausible = std::sqrt(static_cast<double>(std::max(kHarmlessPixels, kMostPixelsPerByte * file.size())));
    const double limit = std::max(kLargestTile, std::min<double>(longest, plausible));
    heif_context_set_maximum_image_size_limit(primary.context.get(), static_cast<int>(limit) + 1);  // libheif 1.15 refuses the limit itself
    // Samples of more than 8 bits are asked for as they are: libheif would cut them, not round.
    const bool alpha = primary.channels() == 4, wide = primary.bits() > 8;
    const heif_chroma chroma = wide ? (alpha ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE)
                                    : (alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB);
    const Options options(heif_decoding_options_alloc());
    heif_image* decoded = nullptr;
    const heif_error error = heif_decode_image(handle, &decoded, heif_colorspace_RGB, chroma, options.get());
    Picture picture(decoded);
    if (isGood(error) && picture) return picture;
    throw InputError("{}: damaged or truncated HEIF: {}", file.path.string(), error.message ? error.message : "no picture");
}

/// A decoded picture's rows as 8 bits of sRGB's curve.
class Rows {
public:
    Rows(const Primary& primary, const heif_image* picture)
        : bits_(static_cast<uint32_t>(heif_image_get_bits_per_pixel_range(picture, heif_channel_interleaved))),
          channels_(static_cast<size_t>(primary.channels())),
          samples_(static_cast<size_t>(primary.size().width) * channels_) {
        plane_ = heif_image_get_plane_readonly(picture, heif_channel_interleaved, &stride_);
        const auto points = codePointsOf(primary);
        if (points && isHdr(*points)) hdr_.emplace(static_cast<HdrTransfer>(points->transfer), *findHdrPrimaries(points->primaries), bits_);
    }

    void read(int y, std::span<uint8_t> row) {
        const uint8_t* stored = plane_ + static_cast<size_t>(y) * static_cast<size_t>(stride_);
        if (bits_ <= 8 && !hdr_) {
            std::memcpy(row.data(), stored, row.size());
            return;
        }
        const uint32_t largest = (1U << bits_) - 1;
        for (size_t i = 0; i < samples_.size(); ++i) {
            const uint32_t value = bits_ > 8 ? stored[2 * i] | static_cast<uint32_t>(stored[2 * i + 1]) << 8U : stored[i];
            samples_[i] = static_cast<uint16_t>(std::min(value, largest));
        }
        if (hdr_) return hdr_->convert(samples_, channels_, row);
        for (size_t i = 0; i < samples_.size(); ++i) row[i] = static_cast<uint8_t>((2 * 255 * samples_[i] + largest) / (2 * largest));
    }

private:
    const uint32_t bits_;
    const size_t channels_;
    const uint8_t* plane_ = nullptr;
    int stride_ = 0;
    std::optional<HdrToSrgb> hdr_;
    std::vector<uint16_t> samples_;  ///< of a row
};

/// The library decodes in one call, before and after which is checked.
void decode(const EncodedImage& file, const ImageRow& row, const DecodingCheck& check) {
    const Primary primary(file);
    if (!primary.handle) throw InputError("{}: damaged or truncated HEIF: {}", file.path.string(), primary.error.message);
    // Distributions have the decoders in packages of their own.
    const bool avif = isAvif(file.bytes);
    if (heif_have_decoder_for_format(avif ? heif_compression_AV1 : heif_compression_HEVC) == 0)
        throw InputError("{}: libheif has no decoder for {}, expected one: install {}", file.path.string(), avif ? "AVIF" : "HEIC",
                         avif ? "libheif-plugin-dav1d" : "libheif-plugin-libde265");
    checkHeifItems(file);
    check();
    const Picture picture = decodePrimary(primary, file);
    check();
    const auto [width, height] = primary.size();
    if (heif_image_get_primary_width(picture.get()) != width || heif_image_get_primary_height(picture.get()) != height)
        throw InputError("{}: damaged HEIF: decoded {}x{} pixels, expected {}x{} as its header says", file.path.string(),
                         heif_image_get_primary_width(picture.get()), heif_image_get_primary_height(picture.get()), width, height);
    Rows rows(primary, picture.get());
    std::vector<uint8_t> pixels(static_cast<size_t>(width) * static_cast<size_t>(primary.channels()));
    for (int y = 0; y < height; ++y) {
        rows.read(y, pixels);
        row(y, pixels);
    }
}

/// Behind the offset of its TIFF header (ISO/IEC 23008-12, A.2.1).
FileBlock exif(const EncodedImage& file) {
    const Primary primary(file);
    heif_item_id id = 0;
    if (!primary.handle || heif_image_handle_get_list_of_metadata_block_IDs(primary.handle.get(), "Exif", &id, 1) == 0) return {};
    std::vector<std::byte> block(heif_image_handle_get_metadata_size(primary.handle.get(), id));
    if (block.size() < 4 || !isGood(heif_image_handle_get_metadata(primary.handle.get(), id, block.data()))) return {};
    const size_t start = 4 + size_t{numberAt(block, 0, 4, std::endian::big)};
    if (start >= block.size()) return {};
    return FileBlock(std::vector(block.begin() + static_cast<std::ptrdiff_t>(start), block.end()));
}

/// The file's own, or that of the primaries that its code points name, as encoders of AVIF write them; none of an HDR picture, which is decoded to sRGB.
FileBlock profile(const EncodedImage& file) {
    const Primary primary(file);
    if (!primary.handle) return {};
    const auto points = codePointsOf(primary);
    if (points && isHdr(*points)) return {};
    const size_t size = heif_image_handle_get_raw_color_profile_size(primary.handle.get());
    if (size > 0 && size <= kMostProfileBytes) {
        std::vector<std::byte> profile(size);
        if (isGood(heif_image_handle_get_raw_color_profile(primary.handle.get(), profile.data()))) return FileBlock(std::move(profile));
    }
    return points ? FileBlock(profileOfPrimaries(points->primaries)) : FileBlock();
}

#else

std::optional<ImageHeader> header(const EncodedImage& head) { refuseWithout(head, isAvif(head.bytes) ? "AVIF" : "HEIC", "libheif-dev"); }
void decode(const EncodedImage& file, const ImageRow&, const DecodingCheck&) { header(file); }
FileBlock exif(const EncodedImage&) { return {}; }
FileBlock profile(const EncodedImage&) { return {}; }

#endif

}  // namespace

const ImageCodec kHeicCodec{
    .name = "HEIC", .recognises = isHeic, .header = header, .decode = decode, .exif = exif, .profile = profile, .turns = true};
const ImageCodec kAvifCodec{
    .name = "AVIF", .recognises = isAvif, .header = header, .decode = decode, .exif = exif, .profile = profile, .turns = true};

}  // namespace splat
