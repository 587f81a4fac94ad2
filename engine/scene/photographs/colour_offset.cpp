#include <splatwright/scene/photographs/colour_offset.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <splatwright/core/median.h>

namespace splat {

namespace {

constexpr int kCellsAcross = 64;  // along the longer side
constexpr int kPartsAcross = 4;   // along each side
constexpr size_t kFewestCells = 30, kFewestOfAPart = 8, kFewestParts = 3;
constexpr double kDarkest = 20, kBrightest = 235;  // of 255: beyond, a gain is lost in noise and rounding, or saturates

/// The nearest point of a cell.
struct Nearest {
    double depth = std::numeric_limits<double>::infinity();
    const Point* point = nullptr;
    int x = 0, y = 0;  ///< pixel
};

std::vector<Nearest> nearestPoints(const Camera& camera, std::span<const Point> points) {
    constexpr double kNear = 1e-6;  // far below the near plane in any frame
    const int cell = std::max(1, std::max(camera.width, camera.height) / kCellsAcross);
    const int columns = (camera.width + cell - 1) / cell, rows = (camera.height + cell - 1) / cell;
    std::vector<Nearest> cells(static_cast<size_t>(columns) * static_cast<size_t>(rows));
    for (const Point& point : points) {
        const glm::dvec3 p = camera.rotation * glm::dvec3(point.position) + camera.translation;
        if (!(p.z > kNear)) continue;
        const double x = camera.fx * p.x / p.z + camera.cx, y = camera.fy * p.y / p.z + camera.cy;
        if (!(x >= 1 && x < camera.width - 1 && y >= 1 && y < camera.height - 1)) continue;  // with its eight neighbours
        const Nearest found{p.z, &point, static_cast<int>(x), static_cast<int>(y)};
        Nearest& nearest = cells[static_cast<size_t>(found.y / cell * columns + found.x / cell)];
        if (found.depth < nearest.depth) nearest = found;
    }
    std::erase_if(cells, [](const Nearest& nearest) { return !nearest.point; });
    return cells;
}

/// Mean of 3x3 pixels; none if one of them is masked or transparent.
std::optional<glm::dvec3> colourAround(const Photograph& photograph, int x, int y) {
    glm::dvec3 sum(0);
    for (int row = y - 1; row <= y + 1; ++row)
        for (int column = x - 1; column <= x + 1; ++column) {
            if (!photograph.coverage.pixels.empty() && photograph.coverage.at(column, row)[0] < 255) return {};
            const auto pixel = photograph.image.at(column, row);
            sum += glm::dvec3(pixel[0], pixel[1], pixel[2]);
        }
    return sum / 9.0;
}

bool tells(const glm::dvec3& colour) {
    return std::min({colour.r, colour.g, colour.b}) >= kDarkest && std::max({colour.r, colour.g, colour.b}) <= kBrightest;
}

/// Logarithms of ratios, per channel.
using Ratios = std::array<std::vector<double>, 3>;

glm::dvec3 medianOf(const Ratios& ratios) { return {splat::medianOf(ratios[0]), splat::medianOf(ratios[1]), splat::medianOf(ratios[2])}; }

/// Of the mean of the medians, mean over the channels. None for too few.
std::optional<double> varianceOfMean(const std::vector<Ratios>& parts) {
    std::vector<glm::dvec3> medians;
    for (const Ratios& part : parts) {
        if (part[0].size() >= kFewestOfAPart) medians.push_back(medianOf(part));
    }
    if (medians.size() < kFewestParts) return {};
    const auto count = static_cast<double>(medians.size());
    glm::dvec3 mean(0), squares(0);
    for (const glm::dvec3& median : medians) mean += median / count;
    for (const glm::dvec3& median : medians) squares += (median - mean) * (median - mean);
    return (squares.r + squares.g + squares.b) / 3 / (count - 1) / count;
}

}  // namespace

std::optional<ColourOffset> colourOffset(const Photograph& photograph, std::span<const Point> points) {
    Ratios all;
    std::vector<Ratios> parts(size_t{kPartsAcross} * kPartsAcross);
    for (const Nearest& nearest : nearestPoints(photograph.camera, points)) {
        const auto& colour = nearest.point->colour;
        const glm::dvec3 there(colour[0], colour[1], colour[2]);
        const auto here = tells(there) ? colourAround(photograph, nearest.x, nearest.y) : std::nullopt;
        if (!here || !tells(*here)) continue;
        const int part =
            nearest.y * kPartsAcross / photograph.camera.height * kPartsAcross + nearest.x * kPartsAcross / photograph.camera.width;
        for (int k = 0; k < 3; ++k) {
            const double ratio = std::log((*here)[k] / there[k]);
            all[static_cast<size_t>(k)].push_back(ratio);
            parts[static_cast<size_t>(part)][static_cast<size_t>(k)].push_back(ratio);
        }
    }
    const auto variance = all[0].size() >= kFewestCells ? varianceOfMean(parts) : std::nullopt;
    if (!variance) return {};
    return ColourOffset{medianOf(all), *variance};
}

}  // namespace splat
