#include <splatwright/scene/pictures/blob_planes.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/scene/files/zstd.h>

namespace splat {
namespace {

namespace fs = std::filesystem;

using Numbers = std::vector<uint32_t>;

constexpr size_t kColourWords = 3;  // red and blue are stored as differences to green: mostly, channels rise and fall together

uint32_t maskOf(int bits) { return (1U << static_cast<uint32_t>(bits)) - 1; }

/// Bits of the numbers that the planes hold.
int storedBits(const BlobLayout& layout) { return layout.coding == BlobCoding::morton ? 2 * layout.bits : layout.bits; }

size_t bytesOf(int bits) { return (static_cast<size_t>(bits) + 7) / 8; }

/// The 16 bits of a word at the even places.
uint32_t spread(uint32_t word) {
    word = (word | word << 8U) & 0x00ff00ffU;
    word = (word | word << 4U) & 0x0f0f0f0fU;
    word = (word | word << 2U) & 0x33333333U;
    return (word | word << 1U) & 0x55555555U;
}
/// The inverse of spread(); ignores the odd places.
uint32_t gathered(uint32_t code) {
    code &= 0x55555555U;
    code = (code | code >> 1U) & 0x33333333U;
    code = (code | code >> 2U) & 0x0f0f0f0fU;
    code = (code | code >> 4U) & 0x00ff00ffU;
    return (code | code >> 8U) & 0x0000ffffU;
}

/// Differences modulo 2^bits as 0, -1, 1, -2, 2, ...: small ones have no high bits, whatever their sign.
void subtractBefore(Numbers& numbers, int bits) {
    const uint32_t mask = maskOf(bits), half = mask / 2 + 1;
    uint32_t before = 0;
    for (uint32_t& number : numbers) {
        const uint32_t difference = (number - std::exchange(before, number)) & mask;
        number = difference < half ? 2 * difference : 2 * (mask - difference) + 1;
    }
}
void addBefore(Numbers& numbers, int bits) {
    const uint32_t mask = maskOf(bits);
    uint32_t before = 0;
    for (uint32_t& number : numbers) {
        const uint32_t difference = number & 1U ? ~(number >> 1U) : number >> 1U;
        number = before = (before + difference) & mask;
    }
}

/// Differences of Morton codes.
Numbers codesOf(const BlobWords& centres) {
    Numbers codes(centres[0].size());
    uint32_t before = 0;
    for (size_t i = 0; i < codes.size(); ++i) {
        const uint32_t code = mortonCode(centres[0][i], centres[1][i]);
        SPLAT_CHECK(code >= before, "code {} after {}", code, before);
        codes[i] = code - std::exchange(before, code);
    }
    return codes;
}

BlobWords centresOf(const fs::path& path, const Numbers& differences, int bits) {
    const uint64_t codes = uint64_t{1} << static_cast<uint32_t>(2 * bits);
    BlobWords centres(2, Numbers(differences.size()));
    uint64_t code = 0;
    for (size_t i = 0; i < differences.size(); ++i) {
        code += differences[i];
        if (code >= codes) {
            throw InputError("{}: the Morton code of the centre of blob {} is {}, expected at most {}", path.string(), i, code, codes - 1);
        }
        centres[0][i] = gathered(static_cast<uint32_t>(code));
        centres[1][i] = gathered(static_cast<uint32_t>(code) >> 1U);
    }
    return centres;
}

std::vector<std::byte> readPlane(const fs::path& path, ByteReader& reader, const char* attribute, size_t count) {
    const std::string property = fmt::format("a plane of the {}", attribute);
    const auto size = reader.read<uint32_t>(property.c_str());
    if (size > count) throw InputError("{}: {} has {} bytes, expected at most {}", path.string(), property, size, count);
    std::vector<std::byte> plane = reader.readValues<std::byte>(size, property.c_str());
    if (size == count) return plane;
    std::vector<std::byte> unpacked(count);
    unpackZstd(path, plane, unpacked, property.c_str());
    return unpacked;
}

/// Bits of the numbers in a plane. The first planes hold the highest bits, eight each, which are more alike than lower ones; the last plane holds
/// the rest.
uint32_t widthOf(size_t plane, int bits) { return std::min(8U, static_cast<uint32_t>(bits) - 8 * static_cast<uint32_t>(plane)); }

Numbers readNumbers(const fs::path& path, ByteReader& reader, const char* attribute, const BlobLayout& layout) {
    const int bits = storedBits(layout);
    Numbers numbers(layout.count);
    for (size_t p = 0; p < bytesOf(bits); ++p) {
        const uint32_t width = widthOf(p, bits), most = (1U << width) - 1;
        const std::vector<std::byte> plane = readPlane(path, reader, attribute, layout.count);
        for (size_t i = 0; i < layout.count; ++i) {
            const auto byte = std::to_integer<uint32_t>(plane[i]);
            if (byte > most) {
                throw InputError("{}: a plane of the {} has {} for blob {}, expected at most {}", path.string(), attribute, byte, i, most);
            }
            numbers[i] = numbers[i] << width | byte;
        }
    }
    return numbers;
}

}  // namespace

uint32_t mortonCode(uint32_t x, uint32_t y) { return spread(x) | spread(y) << 1U; }

size_t planesOf(const BlobAttributeRow& row, const BlobLayout& layout) {
    return (layout.coding == BlobCoding::morton ? 1 : row.words) * bytesOf(storedBits(layout));
}

std::vector<std::byte> packBlobWords(BlobWords words, const BlobLayout& layout, bool compress) {
    if (words.size() == kColourWords) {
        for (const size_t channel : {0U, 2U})
            for (size_t i = 0; i < words[1].size(); ++i) words[channel][i] = (words[channel][i] - words[1][i]) & maskOf(layout.bits);
    }
    if (layout.coding == BlobCoding::morton) words = {codesOf(words)};
    const int bits = storedBits(layout);
    std::vector<std::byte> bytes, plane(layout.count);
    for (Numbers& numbers : words) {
        if (layout.coding == BlobCoding::differences) subtractBefore(numbers, layout.bits);
        uint32_t rest = static_cast<uint32_t>(bits);  // bits in later planes
        for (size_t p = 0; p < bytesOf(bits); ++p) {
            rest -= widthOf(p, bits);
            const uint32_t most = (1U << widthOf(p, bits)) - 1;
            std::ranges::transform(numbers, plane.begin(), [&](uint32_t number) { return static_cast<std::byte>(number >> rest & most); });
            std::vector<std::byte> frame = compress ? packZstd(plane) : plane;
            if (frame.size() >= plane.size()) frame = plane;
            const auto size = static_cast<uint32_t>(frame.size());
            const auto* sizeBytes = reinterpret_cast<const std::byte*>(&size);
            bytes.insert(bytes.end(), sizeBytes, sizeBytes + sizeof size);
            bytes.insert(bytes.end(), frame.begin(), frame.end());
        }
    }
    return bytes;
}

BlobWords unpackBlobWords(const fs::path& path, ByteReader& reader, const BlobAttributeRow& row, const BlobLayout& layout) {
    if (layout.coding == BlobCoding::morton) return centresOf(path, readNumbers(path, reader, row.name, layout), layout.bits);
    BlobWords words;
    for (size_t w = 0; w < row.words; ++w) {
        words.push_back(readNumbers(path, reader, row.name, layout));
        if (layout.coding == BlobCoding::differences) addBefore(words.back(), layout.bits);
    }
    if (words.size() == kColourWords) {
        for (const size_t channel : {0U, 2U})
            for (size_t i = 0; i < words[1].size(); ++i) words[channel][i] = (words[channel][i] + words[1][i]) & maskOf(layout.bits);
    }
    return words;
}

}  // namespace splat
