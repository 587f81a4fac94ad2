#include <splatwright/scene/images/exif.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <splatwright/scene/images/codec.h>

namespace splat {
namespace {

using namespace std::string_view_literals;

// Exif 2.32. Types: 1: byte, 2: text that ends with a zero, 3 and 4: 16 and 32 bits, 5: two numbers of 32 bits, a fraction.
enum Type : uint32_t { kByte = 1, kText = 2, kShort = 3, kLong = 4, kRational = 5 };
constexpr uint32_t kMake = 0x010f, kModel = 0x0110, kOrientationTag = 0x0112, kExifDirectory = 0x8769, kGpsDirectory = 0x8825;
constexpr uint32_t kFocalLength = 0x920a, kFocalPlaneResolution = 0xa20e, kFocalPlaneUnit = 0xa210, kFocalLength35 = 0xa405;
constexpr uint32_t kLatitudeRef = 1, kLatitude = 2, kLongitudeRef = 3, kLongitude = 4, kAltitudeRef = 5, kAltitude = 6;
constexpr uint64_t kEntryBytes = 12;  // tag, type, count, values or their offset

uint64_t bytesOf(uint32_t type) {
    constexpr std::array<uint64_t, 6> kBytes{0, 1, 1, 2, 4, 8};
    return type < kBytes.size() ? kBytes[type] : 0;
}

/// Degrees, minutes and seconds; negative to the south or the west.
std::optional<double> degreesOf(const ExifBlock& block, uint64_t gps, uint32_t tag, uint32_t refTag, std::string_view negative) {
    const auto entry = block.find(gps, tag), ref = block.find(gps, refTag);
    if (!entry || !ref || entry->count != 3) return std::nullopt;
    double degrees = 0, share = 1;
    for (uint32_t i = 0; i < 3; ++i, share /= 60) {
        const auto part = block.rational(*entry, i);
        if (!part) return std::nullopt;
        degrees += share * *part;
    }
    return block.text(*ref) == negative ? -degrees : degrees;
}

std::optional<GeoPosition> positionOf(const ExifBlock& block) {
    const uint64_t gps = block.directory(kGpsDirectory);
    const auto latitude = degreesOf(block, gps, kLatitude, kLatitudeRef, "S"),
               longitude = degreesOf(block, gps, kLongitude, kLongitudeRef, "W");
    if (!latitude || !longitude || std::abs(*latitude) > 90 || std::abs(*longitude) > 180) return std::nullopt;
    if (*latitude == 0 && *longitude == 0) return std::nullopt;  // some cameras write zeros without a fix
    GeoPosition position{*latitude, *longitude};
    const auto entry = block.find(gps, kAltitude), below = block.find(gps, kAltitudeRef);
    if (entry) position.altitude = block.rational(*entry);
    if (position.altitude && below && block.whole(*below) == 1) position.altitude = -*position.altitude;
    return position;
}

/// Builds a directory of big-endian entries, which come in the order of their tags.
class DirectoryWriter {
public:
    void put(uint32_t tag, Type type, const std::string& values) {
        if (!values.empty()) rows_.push_back({tag, type, values});
    }
    void putText(uint32_t tag, const std::string& text) {
        if (!text.empty()) put(tag, kText, text + '\0');
    }
    void putShort(uint32_t tag, uint32_t value) {
        if (value > 0) put(tag, kShort, number(value, 2));
    }
    void putFraction(uint32_t tag, double value) {
        if (value > 0) put(tag, kRational, fraction(value));
    }
    bool empty() const { return rows_.empty(); }

    size_t bytes() const {
        size_t sum = 2 + kEntryBytes * rows_.size() + 4;
        for (const Row& row : rows_) sum += row.values.size() > 4 ? row.values.size() + row.values.size() % 2 : 0;
        return sum;
    }
    /// Its bytes, if it stands at this offset.
    std::string at(size_t offset) const {
        std::string entries = number(static_cast<uint32_t>(rows_.size()), 2), values;
        const size_t behind = offset + 2 + kEntryBytes * rows_.size() + 4;
        for (const Row& row : rows_) {
            entries += number(row.tag, 2) + number(row.type, 2) + number(static_cast<uint32_t>(row.values.size() / bytesOf(row.type)), 4);
            if (row.values.size() > 4) {
                entries += number(static_cast<uint32_t>(behind + values.size()), 4);
                values += row.values + std::string(row.values.size() % 2, '\0');
            } else {
                entries += row.values + std::string(4 - row.values.size(), '\0');
            }
        }
        return entries + number(0, 4) + values;
    }

    static std::string number(uint32_t value, size_t size) {
        std::string bytes;
        for (size_t i = 0; i < size; ++i) bytes += static_cast<char>(value >> 8 * (size - 1 - i));
        return bytes;
    }
    static std::string fraction(double value) {
        const uint32_t parts = value < 4000 ? 1'000'000 : 1000;
        return number(static_cast<uint32_t>(std::lround(value * parts)), 4) + number(parts, 4);
    }

private:
    struct Row {
        uint32_t tag;
        Type type;
        std::string values;
    };
    std::vector<Row> rows_;
};

/// Whole degrees and minutes, and seconds.
std::string sexagesimal(double degrees) {
    const double whole = std::floor(degrees), minutes = std::floor(60 * (degrees - whole));
    const auto seconds = std::max(0.0, 3600 * (degrees - whole) - 60 * minutes);
    return DirectoryWriter::fraction(whole) + DirectoryWriter::fraction(minutes) + DirectoryWriter::fraction(seconds);
}

DirectoryWriter gpsOf(const std::optional<GeoPosition>& position) {
    DirectoryWriter gps;
    if (!position) return gps;
    gps.putText(kLatitudeRef, position->latitude < 0 ? "S" : "N");
    gps.put(kLatitude, kRational, sexagesimal(std::abs(position->latitude)));
    gps.putText(kLongitudeRef, position->longitude < 0 ? "W" : "E");
    gps.put(kLongitude, kRational, sexagesimal(std::abs(position->longitude)));
    if (!position->altitude) return gps;
    gps.put(kAltitudeRef, kByte, std::string(1, *position->altitude < 0 ? '\1' : '\0'));
    gps.put(kAltitude, kRational, DirectoryWriter::fraction(std::abs(*position->altitude)));
    return gps;
}

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

ExifBlock::ExifBlock(std::span<const std::byte> block) {
    if (startsWith(block, kExifSignature)) block = block.subspan(kExifSignature.size());
    const bool little = startsWith(block, "II*\0"sv), big = startsWith(block, "MM\0*"sv);
    if (!little && !big) return;
    bytes_ = block;
    order_ = big ? std::endian::big : std::endian::little;
}

uint64_t ExifBlock::firstDirectory() const { return read(4, 4); }

uint64_t ExifBlock::directory(uint32_t tag) const {
    const auto entry = find(firstDirectory(), tag);
    return entry ? whole(*entry).value_or(0) : 0;
}

/// Fields behind the end read as 0, which is neither a tag nor a type.
std::optional<ExifBlock::Entry> ExifBlock::find(uint64_t directory, uint32_t tag) const {
    const uint32_t entries = directory == 0 ? 0 : read(directory, 2);
    uint64_t at = directory + 2;
    for (uint32_t i = 0; i < entries && at < bytes_.size(); ++i, at += kEntryBytes) {
        if (read(at, 2) != tag) continue;
        const Entry entry{read(at + 2, 2), read(at + 4, 4), at + 8};
        const uint64_t bytes = bytesOf(entry.type) * entry.count;
        if (bytes == 0 || bytes > bytes_.size()) continue;
        const uint64_t offset = bytes > 4 ? read(at + 8, 4) : at + 8;
        if (offset + bytes <= bytes_.size()) return Entry{entry.type, entry.count, offset};
    }
    return std::nullopt;
}

std::optional<uint32_t> ExifBlock::whole(const Entry& entry) const {
    if (entry.type != kByte && entry.type != kShort && entry.type != kLong) return std::nullopt;
    return read(entry.offset, bytesOf(entry.type));
}

std::optional<double> ExifBlock::rational(const Entry& entry, uint32_t index) const {
    if (entry.type != kRational || index >= entry.count) return std::nullopt;
    const uint32_t above = read(entry.offset + 8 * uint64_t{index}, 4), below = read(entry.offset + 8 * uint64_t{index} + 4, 4);
    return below == 0 ? std::nullopt : std::optional(static_cast<double>(above) / below);
}

std::string ExifBlock::text(const Entry& entry) const {
    constexpr size_t kMost = 256;
    if (entry.type != kText) return {};
    const auto bytes = bytes_.subspan(entry.offset, std::min<size_t>(entry.count, kMost));
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return std::string(text.substr(0, text.find('\0')));
}

Orientation orientationOf(std::span<const std::byte> exif) {
    const ExifBlock block(exif);
    const auto entry = block.find(block.firstDirectory(), kOrientationTag);
    const uint32_t value = entry && entry->type == kShort && entry->count == 1 ? block.whole(*entry).value_or(0) : 0;
    return value >= 1 && value <= 8 ? static_cast<Orientation>(value) : Orientation::stored;
}

Shot shotOf(std::span<const std::byte> exif) {
    const ExifBlock block(exif);
    const uint64_t first = block.firstDirectory(), own = block.directory(kExifDirectory);
    const auto textOf = [&](uint32_t tag) {
        const auto entry = block.find(first, tag);
        return entry ? block.text(*entry) : std::string();
    };
    const auto wholeOf = [&](uint32_t tag, uint32_t absent) {
        const auto entry = block.find(own, tag);
        return entry ? block.whole(*entry).value_or(absent) : absent;
    };
    const auto fractionOf = [&](uint32_t tag) {
        const auto entry = block.find(own, tag);
        return entry ? block.rational(*entry).value_or(0) : 0;
    };
    return {.make = textOf(kMake),
            .model = textOf(kModel),
            .focalLength = fractionOf(kFocalLength),
            .focalLength35 = wholeOf(kFocalLength35, 0),
            .focalPlaneResolution = fractionOf(kFocalPlaneResolution),
            .focalPlaneUnit = wholeOf(kFocalPlaneUnit, 2),
            .position = positionOf(block)};
}

std::vector<std::byte> exifOf(const Shot& shot) {
    constexpr size_t kHeaderBytes = 8;
    DirectoryWriter first, own;
    own.putFraction(kFocalLength, shot.focalLength);
    own.putFraction(kFocalPlaneResolution, shot.focalPlaneResolution);
    own.putShort(kFocalPlaneUnit, shot.focalPlaneResolution > 0 ? shot.focalPlaneUnit : 0);
    own.putShort(kFocalLength35, shot.focalLength35);
    const DirectoryWriter gps = gpsOf(shot.position);
    first.putText(kMake, shot.make);
    first.putText(kModel, shot.model);
    first.putShort(kOrientationTag, 1);
    const size_t pointers = (own.empty() ? 0 : kEntryBytes) + (gps.empty() ? 0 : kEntryBytes);
    const size_t ownAt = kHeaderBytes + first.bytes() + pointers, gpsAt = ownAt + (own.empty() ? 0 : own.bytes());
    if (!own.empty()) first.put(kExifDirectory, kLong, DirectoryWriter::number(static_cast<uint32_t>(ownAt), 4));
    if (!gps.empty()) first.put(kGpsDirectory, kLong, DirectoryWriter::number(static_cast<uint32_t>(gpsAt), 4));
    const std::string text = "MM" + DirectoryWriter::number(42, 2) + DirectoryWriter::number(kHeaderBytes, 4) + first.at(kHeaderBytes) +
                             (own.empty() ? "" : own.at(ownAt)) + (gps.empty() ? "" : gps.at(gpsAt));
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

}  // namespace splat
