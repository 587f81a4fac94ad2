#include <splatwright/train/session/covering_subset.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include <splatwright/scene/gaussians/morton.h>

namespace splat {

namespace {

constexpr uint32_t kLevels = kMortonLevels;

struct CodedPoint {
    uint64_t code;  ///< Morton code: the path from the octree's root to the point's finest cell, three bits per level
    size_t index;
};

/// In the order of their codes.
std::vector<CodedPoint> codedPoints(std::span<const glm::vec3> points) {
    const std::vector<uint64_t> codes = mortonCodes(points);
    std::vector<CodedPoint> coded;
    coded.reserve(points.size());
    for (const uint32_t i : mortonOrder(codes)) coded.push_back({codes[i], i});
    return coded;
}

/// The coarsest level whose cells separate two codes; past the last one for equal codes.
uint32_t separation(uint64_t a, uint64_t b) {
    return a == b ? kLevels + 1 : kLevels - static_cast<uint32_t>(std::bit_width(a ^ b) - 1) / 3;
}

/// The finest level with at most so many cells.
uint32_t finestLevel(std::span<const CodedPoint> coded, size_t mostCells) {
    std::array<size_t, kLevels + 2> separated{};  // pairs of neighbours, by level
    for (size_t i = 1; i < coded.size(); ++i) ++separated[separation(coded[i - 1].code, coded[i].code)];
    uint32_t level = 0;
    for (size_t cells = 1; level < kLevels && cells + separated[level + 1] <= mostCells; ++level) cells += separated[level + 1];
    return level;
}

}  // namespace

std::vector<size_t> coveringSubset(std::span<const glm::vec3> points, size_t count) {
    std::vector<size_t> chosen(points.size());
    std::iota(chosen.begin(), chosen.end(), size_t{0});
    if (points.size() <= count) return chosen;
    if (count == 0) return {};
    const std::vector<CodedPoint> coded = codedPoints(points);
    const uint32_t level = finestLevel(coded, count / 2);
    std::vector<size_t> others;
    chosen.clear();
    for (size_t first = 0, end = 0; first < coded.size(); first = end) {
        for (end = first + 1; end < coded.size() && separation(coded[first].code, coded[end].code) > level;) ++end;
        const size_t middle = first + (end - first) / 2;  // the cell's point that stays
        for (size_t i = first; i < end; ++i) (i == middle ? chosen : others).push_back(coded[i].index);
    }
    const size_t more = count - chosen.size();
    for (size_t i = 0; i < more; ++i) chosen.push_back(others[i * others.size() / more]);
    std::ranges::sort(chosen);
    return chosen;
}

}  // namespace splat
