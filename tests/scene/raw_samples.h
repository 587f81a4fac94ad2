#pragma once

#include <string>
#include <vector>

#include "exif_samples.h"

namespace splat::test {

/// An entry of a directory of TIFF: its values, big-endian.
struct TiffEntry {
    uint32_t tag, type, count;
    std::string values;
};

inline std::string big(uint32_t number, size_t size = 4) { return bytesOf(number, size, std::endian::big); }

/// A TIFF of one directory.
inline std::string tiffBlock(const std::vector<TiffEntry>& entries) {
    std::string directory = big(static_cast<uint32_t>(entries.size()), 2), values;
    const size_t behind = 8 + 2 + 12 * entries.size() + 4;
    for (const TiffEntry& entry : entries) {
        directory += big(entry.tag, 2) + big(entry.type, 2) + big(entry.count);
        if (entry.values.size() <= 4) {
            directory += entry.values + std::string(4 - entry.values.size(), '\0');
        } else {
            directory += big(static_cast<uint32_t>(behind + values.size()));
            values += entry.values + std::string(entry.values.size() % 2, '\0');
        }
    }
    return "MM" + big(42, 2) + big(8) + directory + big(0) + values;
}

/// A box of ISO/IEC 14496-12.
inline std::string box(const std::string& type, const std::string& content) {
    return big(static_cast<uint32_t>(content.size() + 8)) + type + content;
}

/// A CR3 as Canon's cameras write it, without pixels: blocks CMT1 (first directory), CMT2 (EXIF) and CMT4 (GPS), and a track of raw pixels.
inline std::string cr3(const std::string& cmt1, const std::string& cmt2, const std::string& cmt4, uint32_t width = 256,
                       uint32_t height = 128) {
    const std::string canon("\x85\xc0\xb6\x87\x82\x0f\x11\xe0\x81\x11\xf4\xce\x46\x2b\x6a\x48", 16);
    const std::string sizes = big(width) + big(height) + big(width) + big(height);
    const std::string raw = big(0) + big(0x0100, 2) + big(0, 2) + sizes + std::string("\x0e\x40\0\0", 4) + big(16) + std::string(53, '\0');
    const std::string table = box("stsd", big(0) + big(1) + box("CRAW", std::string(82, '\0') + box("CMP1", raw))) +
                              box("stsz", big(0) + big(64) + big(1)) + box("co64", big(0) + big(1) + big(0) + big(16));
    const std::string media = box("hdlr", big(0) + big(0) + "vide" + std::string(12, '\0')) + box("minf", box("stbl", table));
    return box("ftyp", "crx " + big(1) + "crx isom") +
           box("moov", box("uuid", canon + box("CMT1", cmt1) + box("CMT2", cmt2) + box("CMT4", cmt4)) + box("trak", box("mdia", media))) +
           box("mdat", std::string(64, '\0'));
}

inline std::string degrees(uint32_t whole, uint32_t minutes, uint32_t milliseconds) {
    return big(whole) + big(1) + big(minutes) + big(1) + big(milliseconds) + big(1000);
}

/// Make, model and orientation; 24.5 mm, and 39 mm as film's; a place in Buenos Aires.
inline std::string cr3OfBuenosAires(uint32_t orientation) {
    const std::string first = tiffBlock({{0x0100, 3, 1, big(256, 2)},
                                         {0x0101, 3, 1, big(128, 2)},
                                         {0x010f, 2, 6, std::string("Canon\0", 6)},
                                         {0x0110, 2, 12, std::string("Canon EOS R\0", 12)},
                                         {0x0112, 3, 1, big(orientation, 2)}});
    const std::string own = tiffBlock({{0x920a, 5, 1, big(245) + big(10)}, {0xa405, 3, 1, big(39, 2)}});
    const std::string gps = tiffBlock({{1, 2, 2, std::string("S\0", 2)},
                                       {2, 5, 3, degrees(34, 36, 30'500)},
                                       {3, 2, 2, std::string("W\0", 2)},
                                       {4, 5, 3, degrees(58, 22, 12'250)},
                                       {5, 1, 1, std::string(1, '\0')},
                                       {6, 5, 1, big(255) + big(10)}});
    return cr3(first, own, gps);
}

}  // namespace splat::test
