#include <splatwright/scene/images/exif.h>

#include <splatwright/scene/images/codec.h>

namespace splat {
namespace {

using namespace std::string_view_literals;

constexpr uint32_t kOrientationTag = 0x0112, kShort = 3;  // a 16-bit number: the only type that Exif 2.32 allows here
constexpr uint64_t kEntryBytes = 12;                      // tag, type, count, value

Orientation valueOf(uint32_t value) { return value >= 1 && value <= 8 ? static_cast<Orientation>(value) : Orientation::stored; }

}  // namespace

uint32_t numberAt(std::span<const std::byte> bytes, uint64_t offset, size_t size, std::endian order) {
    if (offset > bytes.size() || size > bytes.size() - offset) return 0;
    uint32_t number = 0;
    for (size_t i = 0; i < size; ++i) {
        const size_t next = order == std::endian::big ? i : size - 1 - i;
        number = number << 8u | std::to_integer<uint32_t>(bytes[offset + next]);
    }
    return number;
}

Orientation orientationOf(std::span<const std::byte> exif) {
    if (startsWith(exif, kExifSignature)) exif = exif.subspan(kExifSignature.size());
    const bool little = startsWith(exif, "II*\0"sv), big = startsWith(exif, "MM\0*"sv);
    if (!little && !big) return Orientation::stored;
    // Fields behind the end read as 0, which is neither the tag nor a value of it.
    const auto read = [&](uint64_t offset, size_t size) {
        return numberAt(exif, offset, size, big ? std::endian::big : std::endian::little);
    };
    const uint64_t directory = read(4, 4);
    const uint32_t entries = read(directory, 2);
    for (uint32_t i = 0; i < entries; ++i) {
        const uint64_t entry = directory + 2 + kEntryBytes * i;
        if (read(entry, 2) == kOrientationTag && read(entry + 2, 2) == kShort && read(entry + 4, 4) == 1)
            return valueOf(read(entry + 8, 2));
    }
    return Orientation::stored;
}

}  // namespace splat
