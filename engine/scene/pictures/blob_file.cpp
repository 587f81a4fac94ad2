#include <splatwright/scene/pictures/blob_file.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <string_view>
#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/input_file.h>
#include <splatwright/scene/cameras/camera_limits.h>
#include <splatwright/scene/files/byte_reader.h>
#include <splatwright/scene/files/require_range.h>
#include <splatwright/scene/pictures/blob_planes.h>

namespace splat {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kVersion = 1;
constexpr uint32_t kSummedFlag = 1;
// Against decompression bombs, as for SPZ. encodeBlobs() does not compress what would be refused.
constexpr uint64_t kMostInflation = 64, kHarmlessBytes = uint64_t{1} << 20U;

struct AttributeHeader {
    uint8_t words = 0, bits = 0, coding = 0, zero = 0;
    BlobRange range;
};
static_assert(sizeof(AttributeHeader) == 12);

struct Header {
    std::array<char, 8> signature = kBlobSignature;
    uint32_t version = kVersion;
    uint32_t width = 0, height = 0, count = 0, flags = 0;
    std::array<float, 3> background{};
    std::array<AttributeHeader, kBlobAttributes> attributes;
};
static_assert(sizeof(Header) == 100);

using AllWords = std::array<BlobWords, kBlobAttributes>;

BlobLayout layoutOf(const Header& header, size_t attribute) {
    const AttributeHeader& row = header.attributes[attribute];
    return {.count = header.count, .bits = row.bits, .coding = static_cast<BlobCoding>(row.coding)};
}

/// Whether a file of so many bytes may claim these planes.
bool isPlausible(const Header& header, size_t fileBytes) {
    uint64_t planes = 0;
    for (size_t a = 0; a < kBlobAttributes; ++a) planes += planesOf(kBlobRows[a], layoutOf(header, a));
    return header.count * planes <= std::max(fileBytes * kMostInflation, kHarmlessBytes);
}

void requireEncoding(const BlobEncoding& encoding) {
    for (size_t a = 0; a < kBlobAttributes; ++a) {
        if (1 <= encoding.bits[a] && encoding.bits[a] <= kMostBlobBits) continue;
        throw InputError("bits of {}: {}, expected 1 to {}", kBlobRows[a].name, encoding.bits[a], kMostBlobBits);
    }
}

void requireWritable(const Blobs& blobs) {
    const size_t count = blobs.count();
    if (count > kMostBlobs) throw Error("{} blobs, expected at most {}: the renderer numbers them in 24 bits", count, kMostBlobs);
    SPLAT_CHECK(blobs.factors.size() == count && blobs.colours.size() == count && blobs.opacities.size() == count, "{}, {}, {}, {}", count,
                blobs.factors.size(), blobs.colours.size(), blobs.opacities.size());
    for (const uint32_t side : {blobs.width, blobs.height}) {
        if (side >= 1 && side <= kMostBlobSide) continue;
        throw Error("the picture of blobs has {}x{} pixels, expected 1 to {} in width and height", blobs.width, blobs.height,
                    kMostBlobSide);
    }
    checkPixels("the picture of blobs", blobs.width, blobs.height);
    for (int c = 0; c < 3; ++c) {
        if (!std::isfinite(blobs.background[c])) throw Error("channel {} of the background is {}", c, blobs.background[c]);
    }
}

Header headerOf(const Blobs& blobs, const BlobEncoding& encoding) {
    Header header{.width = blobs.width,
                  .height = blobs.height,
                  .count = static_cast<uint32_t>(blobs.count()),
                  .flags = blobs.summed ? kSummedFlag : 0,
                  .background = {blobs.background.x, blobs.background.y, blobs.background.z},
                  .attributes = {}};
    for (size_t a = 0; a < kBlobAttributes; ++a) {
        header.attributes[a].words = static_cast<uint8_t>(kBlobRows[a].words);
        header.attributes[a].bits = static_cast<uint8_t>(encoding.bits[a]);
        header.attributes[a].range = rangeOf(blobs, kBlobRows[a]);
    }
    return header;
}

BlobQuantiser quantiserOf(const Header& header, size_t attribute) {
    const AttributeHeader& row = header.attributes[attribute];
    return {row.range, row.bits, kBlobRows[attribute].spacing};
}

AllWords wordsOf(const Blobs& blobs, const Header& header) {
    AllWords all;
    for (size_t a = 0; a < kBlobAttributes; ++a) {
        const BlobQuantiser quantiser = quantiserOf(header, a);
        all[a].resize(kBlobRows[a].words, std::vector<uint32_t>(header.count));
        for (size_t w = 0; w < all[a].size(); ++w)
            for (size_t i = 0; i < header.count; ++i) all[a][w][i] = quantiser.word(kBlobRows[a].get(blobs, i, w));
    }
    return all;
}

/// As many blobs as the header says, without their numbers.
Blobs blobsOf(const Header& header) {
    Blobs blobs{.width = header.width,
                .height = header.height,
                .summed = (header.flags & kSummedFlag) != 0,
                .background = {header.background[0], header.background[1], header.background[2]},
                .centres = {},
                .factors = {},
                .colours = {},
                .opacities = {}};
    blobs.resize(header.count);
    return blobs;
}

void setNumbers(Blobs& blobs, const Header& header, size_t attribute, const BlobWords& words) {
    const BlobQuantiser quantiser = quantiserOf(header, attribute);
    for (size_t w = 0; w < words.size(); ++w)
        for (size_t i = 0; i < header.count; ++i) kBlobRows[attribute].set(blobs, i, w, quantiser.value(words[w][i]));
}

/// Sorts blobs along a Morton curve of their centres, then by their other words, so that equal sets of blobs become equal files.
void sortAlongCurve(AllWords& all, size_t count) {
    const BlobWords& centres = all[static_cast<size_t>(BlobAttribute::centres)];
    std::vector<uint32_t> codes(count), order(count);
    for (size_t i = 0; i < count; ++i) codes[i] = mortonCode(centres[0][i], centres[1][i]);
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](uint32_t a, uint32_t b) {
        if (codes[a] != codes[b]) return codes[a] < codes[b];
        for (const BlobWords& attribute : all)
            for (const auto& words : attribute)
                if (words[a] != words[b]) return words[a] < words[b];
        return false;
    });
    for (BlobWords& attribute : all) {
        for (auto& words : attribute) {
            std::vector<uint32_t> sorted(count);
            std::ranges::transform(order, sorted.begin(), [&](uint32_t i) { return words[i]; });
            words = std::move(sorted);
        }
    }
}

/// The planes of an attribute in the coding that takes the fewest bytes, which the header then names.
std::vector<std::byte> packedWords(const BlobWords& words, Header& header, size_t attribute, bool compress) {
    const bool sorted = header.flags & kSummedFlag && attribute == static_cast<size_t>(BlobAttribute::centres);
    const auto codings = sorted ? std::vector{BlobCoding::morton} : std::vector{BlobCoding::words, BlobCoding::differences};
    std::vector<std::byte> best;
    for (const BlobCoding coding : codings) {
        BlobLayout layout = layoutOf(header, attribute);
        layout.coding = coding;
        std::vector<std::byte> packed = packBlobWords(words, layout, compress);
        if (coding != codings.front() && packed.size() >= best.size()) continue;
        best = std::move(packed);
        header.attributes[attribute].coding = static_cast<uint8_t>(coding);
    }
    return best;
}

std::vector<std::byte> assembled(Header header, const AllWords& all, bool compress) {
    std::vector<std::byte> bytes(sizeof header);
    for (size_t a = 0; a < kBlobAttributes; ++a) {
        const std::vector<std::byte> packed = packedWords(all[a], header, a, compress);
        bytes.insert(bytes.end(), packed.begin(), packed.end());
    }
    std::memcpy(bytes.data(), &header, sizeof header);
    if (compress && !isPlausible(header, bytes.size())) return assembled(header, all, false);
    return bytes;
}

void requireAttribute(const fs::path& path, const AttributeHeader& header, size_t attribute) {
    const BlobAttributeRow& row = kBlobRows[attribute];
    const auto require = [&](const char* what, auto found, decltype(found) least, decltype(found) most) {
        requireRange(path, fmt::format("{} of {}", what, row.name).c_str(), found, least, most);
    };
    const auto words = static_cast<uint32_t>(row.words);
    const bool centres = attribute == static_cast<size_t>(BlobAttribute::centres);
    require("the number of words", uint32_t{header.words}, words, words);
    require("the number of bits", int{header.bits}, 1, kMostBlobBits);
    require("the coding", uint32_t{header.coding}, 0U, static_cast<uint32_t>(centres ? BlobCoding::morton : BlobCoding::differences));
    require("the byte before the range", uint32_t{header.zero}, 0U, 0U);
    require("the lowest number", header.range.lowest, row.least, row.most);
    require("the highest number", header.range.highest, header.range.lowest, row.most);
}

Header readHeader(const fs::path& path, ByteReader& reader, size_t fileBytes) {
    const auto header = reader.read<Header>("the header");
    if (header.signature != kBlobSignature) {
        throw InputError("{}: not a .blobs file, expected content that starts with '{}'", path.string(),
                         std::string_view(kBlobSignature.data(), kBlobSignature.size()));
    }
    requireRange(path, "the version", header.version, kVersion, kVersion);
    requireRange(path, "the width", header.width, 1U, kMostBlobSide);
    requireRange(path, "the height", header.height, 1U, kMostBlobSide);
    checkPixels(path.string(), header.width, header.height);
    requireRange(path, "the number of blobs (24 bits in the renderer)", size_t{header.count}, size_t{0}, kMostBlobs);
    requireRange(path, "the word of flags", header.flags, 0U, kSummedFlag);
    for (const float channel : header.background) {
        if (!std::isfinite(channel))
            throw InputError("{}: a channel of the background is {}, expected a finite number", path.string(), channel);
    }
    for (size_t a = 0; a < kBlobAttributes; ++a) requireAttribute(path, header.attributes[a], a);
    if (isPlausible(header, fileBytes)) return header;
    throw InputError("{}: the number of blobs is {}, which {} bytes are not expected to hold (damaged or truncated)", path.string(),
                     header.count, fileBytes);
}

}  // namespace

std::vector<std::byte> encodeBlobs(const Blobs& blobs, const BlobEncoding& encoding) {
    requireEncoding(encoding);
    requireWritable(blobs);
    const Header header = headerOf(blobs, encoding);
    AllWords words = wordsOf(blobs, header);
    if (blobs.summed) sortAlongCurve(words, blobs.count());
    return assembled(header, words, true);
}

Blobs decodeBlobs(std::span<const std::byte> bytes, const fs::path& name) {
    ByteReader reader(name, bytes);
    const Header header = readHeader(name, reader, bytes.size());
    Blobs blobs = blobsOf(header);
    for (size_t a = 0; a < kBlobAttributes; ++a)
        setNumbers(blobs, header, a, unpackBlobWords(name, reader, kBlobRows[a], layoutOf(header, a)));
    if (reader.left() > 0) throw InputError("{}: {} bytes follow the last plane, expected none", name.string(), reader.left());
    return blobs;
}

BlobEncoding blobEncodingOf(std::span<const std::byte> bytes, const fs::path& name) {
    ByteReader reader(name, bytes);
    const Header header = readHeader(name, reader, bytes.size());
    BlobEncoding encoding;
    for (size_t a = 0; a < kBlobAttributes; ++a) encoding.bits[a] = header.attributes[a].bits;
    return encoding;
}

Blobs roundedBlobs(const Blobs& blobs, const BlobEncoding& encoding) {
    requireEncoding(encoding);
    requireWritable(blobs);
    const Header header = headerOf(blobs, encoding);
    const AllWords words = wordsOf(blobs, header);
    Blobs rounded = blobsOf(header);
    for (size_t a = 0; a < kBlobAttributes; ++a) setNumbers(rounded, header, a, words[a]);
    return rounded;
}

void writeBlobs(const fs::path& path, const Blobs& blobs, const BlobEncoding& encoding) {
    writeFileAtomically(path, encodeBlobs(blobs, encoding));
}

bool isBlobFile(const std::filesystem::path& path) {
    std::ifstream in = openInput(path);
    std::array<char, kBlobSignature.size()> found{};
    in.read(found.data(), found.size());
    return found == kBlobSignature;
}

Blobs readBlobs(const fs::path& path) { return decodeBlobs(readFile(path), path); }

}  // namespace splat
