#include <splatwright/scene/images/image_file.h>

#include <algorithm>
#include <array>

#include <fmt/ranges.h>

#include <splatwright/core/byte_budget.h>
#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/scene/cameras/camera_limits.h>
#include <splatwright/scene/images/codec.h>
#include <splatwright/scene/images/exif.h>
#include <splatwright/scene/images/to_srgb.h>

namespace splat {
namespace {

namespace fs = std::filesystem;

constexpr std::array kCodecs{&kJpegCodec, &kPngCodec, &kWebpCodec, &kHeicCodec, &kAvifCodec, &kRawCodec, &kTiffCodec};

constexpr size_t kHeadBytes = 65536;  // holds the header unless a photograph carries large previews

const ImageCodec& codecOf(const EncodedImage& file) {
    for (const ImageCodec* codec : kCodecs) {
        if (codec->recognises(file.bytes)) return *codec;
    }
    std::vector<const char*> names;
    for (const ImageCodec* codec : kCodecs) names.push_back(codec->name);
    throw InputError("{}: unknown picture format, expected {}", file.path.string(), fmt::join(names, ", "));
}

std::vector<std::byte> readHead(const fs::path& path) {
    std::ifstream in = openInput(path);
    std::vector<std::byte> head(kHeadBytes);
    in.read(reinterpret_cast<char*>(head.data()), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<size_t>(in.gcount()));
    return head;
}

/// Refuses an implausible size, or one that the file is too small for, before memory is allocated.
ImageHeader checked(const fs::path& path, const ImageCodec& codec, ImageHeader header) {
    header.fileBytes = fs::file_size(path);
    const auto [width, height] = header.size;
    if (width < 1 || height < 1 || width > kMaxSide || height > kMaxSide) {
        throw InputError("{}: {} of {}x{} pixels, expected sides of 1 to {}", path.string(), codec.name, width, height, kMaxSide);
    }
    if (header.leastBytes > header.fileBytes) {
        throw InputError("{}: truncated or forged {}: {} bytes cannot hold {}x{} pixels, expected at least {}", path.string(), codec.name,
                         header.fileBytes, width, height, header.leastBytes);
    }
    return header;
}

/// Decodes a file in memory. A file of a few bytes may claim a picture for which a decoder needs gigabytes, so all threads share a budget.
void decode(const EncodedImage& file, const ImageHeader& header, const ImageRow& row, const DecodingCheck& check = {}) {
    static ByteBudget budget(uint64_t{1} << 30U);
    const ImageCodec& codec = codecOf(file);
    const auto found = codec.header(file);
    if (!found || found->size != header.size || found->channels != header.channels) {
        throw InputError("{}: damaged {} header, or the file has changed while it was read", file.path.string(), codec.name);
    }
    const ByteBudget::Share share = budget.take(header.decoderBytes);
    const DecodingCheck checked = check ? check : [] {};
    const FileBlock profile = codec.profile(file);
    const ToSrgb toSrgb(profile.bytes(), found->inks ? Pixels::cmyk : found->channels == 4 ? Pixels::rgba : Pixels::rgb);
    if (!toSrgb.changesColours()) return codec.decode(file, row, checked);
    const size_t rowBytes = static_cast<size_t>(header.size.width) * static_cast<size_t>(header.channels);
    std::vector<uint8_t> pixels;
    codec.decode(
        file,
        [&](int y, std::span<const uint8_t> stored) {
            pixels.assign(stored.begin(), stored.end());
            toSrgb.convert(pixels);
            row(y, std::span(pixels).first(rowBytes));
        },
        checked);
}

}  // namespace

bool startsWith(std::span<const std::byte> bytes, std::string_view signature) {
    return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()).starts_with(signature);
}

ImageHeader readImageHeader(const fs::path& path) {
    std::vector<std::byte> bytes = readHead(path);
    if (!bytes.empty()) {
        const EncodedImage head{path, bytes, bytes.size() < kHeadBytes};
        const ImageCodec& codec = codecOf(head);
        if (const auto header = codec.header(head)) return checked(path, codec, *header);
    }
    bytes = readFile(path);
    const EncodedImage file{path, bytes};
    const ImageCodec& codec = codecOf(file);
    if (const auto header = codec.header(file)) return checked(path, codec, *header);
    throw InputError("{}: damaged or truncated {} header", path.string(), codec.name);
}

ImageHeader readImageHeader(const fs::path& path, uint32_t megapixels) {
    const ImageHeader header = readImageHeader(path);
    if (header.pixels() <= uint64_t{megapixels} * 1'000'000) return header;
    throw InputError("{}: picture of {}x{} pixels, expected at most {} million (`max_megapixels`)", path.string(), header.size.width,
                     header.size.height, megapixels);
}

Orientation readOrientation(const fs::path& path) {
    const std::vector<std::byte> bytes = readFile(path);
    const EncodedImage file{path, bytes};
    const ImageCodec& codec = codecOf(file);
    return codec.turns ? Orientation::stored : orientationOf(codec.exif(file).bytes());
}

Shot readShot(const fs::path& path) {
    const std::vector<std::byte> bytes = readFile(path);
    const EncodedImage file{path, bytes};
    return shotOf(codecOf(file).exif(file).bytes());
}

void readImageRows(const fs::path& path, const ImageHeader& header, const ImageRow& row, const DecodingCheck& check) {
    const std::vector<std::byte> bytes = readFile(path);
    decode({path, bytes}, header, row, check);
}

Image8 readImage(const fs::path& path, uint32_t megapixels) {
    const ImageHeader header = readImageHeader(path, megapixels);
    const std::vector<std::byte> bytes = readFile(path);
    Image8 image(header.size.width, header.size.height, header.channels);
    decode({path, bytes}, header, [&](int y, std::span<const uint8_t> row) {
        std::ranges::copy(row, image.pixels.begin() + static_cast<std::ptrdiff_t>(image.index(0, y)));
    });
    return image;
}

}  // namespace splat
