#include "scene/image_file.h"

#include <array>

#include <fmt/ranges.h>

#include "core/error.h"
#include "core/input_file.h"
#include "scene/images/codec.h"

namespace splat {
namespace {

constexpr std::array kCodecs{&kJpegCodec, &kPngCodec, &kWebpCodec};

constexpr uint64_t kMaxPixels = uint64_t{1} << 28u;  // 1 GiB as RGBA; a larger size in a header is taken for damage
constexpr size_t kHeadBytes = 65536;                 // holds the size unless a photograph carries large previews

const ImageCodec& codecOf(const EncodedImage& file) {
    for (const ImageCodec* codec : kCodecs) {
        if (codec->recognises(file.bytes)) return *codec;
    }
    std::vector<const char*> names;
    for (const ImageCodec* codec : kCodecs) names.push_back(codec->name);
    throw InputError("{}: unknown picture format, expected {}", file.path.string(), fmt::join(names, ", "));
}

std::vector<std::byte> readHead(const std::filesystem::path& path) {
    std::ifstream in = openInput(path);
    std::vector<std::byte> head(kHeadBytes);
    in.read(reinterpret_cast<char*>(head.data()), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<size_t>(in.gcount()));
    return head;
}

}  // namespace

void checkImageSize(const EncodedImage& file, uint64_t width, uint64_t height) {
    if (width == 0 || height == 0 || width > kMaxPixels / height) {
        throw InputError("{}: picture of {}x{} pixels, expected at least 1 and at most {} of them", file.path.string(), width, height,
                         kMaxPixels);
    }
}

bool startsWith(std::span<const std::byte> bytes, std::string_view signature) {
    return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()).starts_with(signature);
}

Image8 readImage(const std::filesystem::path& path) {
    const std::vector<std::byte> bytes = readFile(path);
    const EncodedImage file{path, bytes};
    return codecOf(file).decode(file);
}

ImageSize readImageSize(const std::filesystem::path& path) {
    const std::vector<std::byte> start = readHead(path);
    if (!start.empty()) {
        const EncodedImage head{path, start};
        if (const auto size = codecOf(head).size(head)) return *size;
    }
    const std::vector<std::byte> bytes = readFile(path);
    const EncodedImage file{path, bytes};
    const ImageCodec& codec = codecOf(file);
    if (const auto size = codec.size(file)) return *size;
    throw InputError("{}: damaged or truncated {} header", path.string(), codec.name);
}

}  // namespace splat
