#include <splatwright/scene/gaussians/morton.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/core/threads.h>

namespace splat {
namespace {

constexpr size_t kSlice = size_t{1} << 15u;  // points per thread and step
constexpr uint32_t kDigitBits = 9;           // of the radix sort: 7 passes for 63 bits
constexpr size_t kDigits = size_t{1} << kDigitBits;

/// Calls body(slice, first, end) for slices of the items, in parallel.
template <class Body>
void forEachSlice(size_t count, const Body& body) {
    parallelFor((count + kSlice - 1) / kSlice, [&](size_t slice) { body(slice, slice * kSlice, std::min(count, (slice + 1) * kSlice)); });
}

/// Leaves two zero bits above each of the lowest 21.
uint64_t spread(uint64_t bits) {
    bits = (bits | bits << 32U) & 0x1f00000000ffffU;
    bits = (bits | bits << 16U) & 0x1f0000ff0000ffU;
    bits = (bits | bits << 8U) & 0x100f00f00f00f00fU;
    bits = (bits | bits << 4U) & 0x10c30c30c30c30c3U;
    return (bits | bits << 2U) & 0x1249249249249249U;
}

struct Cube {
    glm::dvec3 low{std::numeric_limits<double>::max()};
    double edge = 0;
};

Cube cubeAround(std::span<const glm::vec3> points) {
    Cube cube;
    glm::dvec3 high(std::numeric_limits<double>::lowest());
    for (const glm::vec3& point : points) {
        for (int axis = 0; axis < 3; ++axis) {
            const auto at = static_cast<double>(point[axis]);
            if (!std::isfinite(at)) continue;
            cube.low[axis] = std::min(cube.low[axis], at);
            high[axis] = std::max(high[axis], at);
        }
    }
    const glm::dvec3 size = high - cube.low;
    cube.edge = std::max({size.x, size.y, size.z});
    return cube;
}

uint64_t codeOf(const glm::vec3& point, const Cube& cube) {
    constexpr double kMost = (1U << kMortonLevels) - 1;
    uint64_t code = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double at = cube.edge > 0 ? (static_cast<double>(point[axis]) - cube.low[axis]) / cube.edge * kMost : 0;
        if (at > 0) code |= spread(static_cast<uint64_t>(std::min(at, kMost))) << static_cast<uint32_t>(axis);
    }
    return code;
}

struct Item {
    uint64_t code;
    uint32_t index;
};

/// One stable pass of a radix sort: by the digit of the codes that starts at this bit.
void sortByDigit(std::span<const Item> items, std::span<Item> sorted, uint32_t shift) {
    const auto digit = [shift](const Item& item) { return (item.code >> shift) & (kDigits - 1); };
    std::vector<std::array<uint32_t, kDigits>> offsets((items.size() + kSlice - 1) / kSlice);  // per slice
    forEachSlice(items.size(), [&](size_t slice, size_t first, size_t end) {
        for (size_t i = first; i < end; ++i) ++offsets[slice][digit(items[i])];
    });
    uint32_t next = 0;
    for (size_t value = 0; value < kDigits; ++value) {
        for (auto& offset : offsets) next += std::exchange(offset[value], next);
    }
    forEachSlice(items.size(), [&](size_t slice, size_t first, size_t end) {
        for (size_t i = first; i < end; ++i) sorted[offsets[slice][digit(items[i])]++] = items[i];
    });
}

}  // namespace

std::vector<uint64_t> mortonCodes(std::span<const glm::vec3> points) {
    const Cube cube = cubeAround(points);
    std::vector<uint64_t> codes(points.size());
    forEachSlice(points.size(), [&](size_t, size_t first, size_t end) {
        for (size_t i = first; i < end; ++i) codes[i] = codeOf(points[i], cube);
    });
    return codes;
}

std::vector<uint32_t> mortonOrder(std::span<const uint64_t> codes) {
    SPLAT_CHECK(codes.size() <= std::numeric_limits<uint32_t>::max(), "{} points", codes.size());
    std::vector<Item> items(codes.size()), sorted(codes.size());
    forEachSlice(codes.size(), [&](size_t, size_t first, size_t end) {
        for (size_t i = first; i < end; ++i) items[i] = {codes[i], static_cast<uint32_t>(i)};
    });
    for (uint32_t shift = 0; shift < 3 * kMortonLevels; shift += kDigitBits) {
        sortByDigit(items, sorted, shift);
        items.swap(sorted);
    }
    std::vector<uint32_t> order(codes.size());
    std::ranges::transform(items, order.begin(), &Item::index);
    return order;
}

std::vector<uint32_t> mortonOrder(std::span<const glm::vec3> points) { return mortonOrder(mortonCodes(points)); }

}  // namespace splat
