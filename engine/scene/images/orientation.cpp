#include <splatwright/scene/images/orientation.h>

#include <algorithm>

#include <splatwright/core/error.h>

namespace splat {
namespace {

/// Whether shown rows are stored columns.
bool swapsAxes(Orientation o) { return o >= Orientation::transposed; }

}  // namespace

ImageSize shownSize(ImageSize stored, Orientation orientation) {
    return swapsAxes(orientation) ? ImageSize{stored.height, stored.width} : stored;
}

void copyShownRow(const Image8& stored, Orientation o, int y, std::span<uint8_t> row) {
    const int width = shownSize({stored.width, stored.height}, o).width;
    const auto channels = static_cast<size_t>(stored.channels);
    SPLAT_CHECK(row.size() == static_cast<size_t>(width) * channels, "{}", row.size());
    // Whether shown pixels start at the last stored column, and at the last stored row.
    const bool right =
        o == Orientation::mirrored || o == Orientation::rotated180 || o == Orientation::transversed || o == Orientation::rotated270;
    const bool below =
        o == Orientation::rotated180 || o == Orientation::flipped || o == Orientation::rotated90 || o == Orientation::transversed;
    for (int x = 0; x < width; ++x) {
        const int column = swapsAxes(o) ? y : x, line = swapsAxes(o) ? x : y;
        const int storedX = right ? stored.width - 1 - column : column;
        const int storedY = below ? stored.height - 1 - line : line;
        std::ranges::copy(stored.at(storedX, storedY), &row[static_cast<size_t>(x) * channels]);
    }
}

}  // namespace splat
