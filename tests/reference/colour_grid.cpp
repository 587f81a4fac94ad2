#include "reference/colour_grid.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace splat::reference {
namespace {

constexpr glm::dvec3 kGrey{0.299, 0.587, 0.114};

/// A corner of the cell around a pixel: its weight, and the weight's derivative by the grey value.
struct Corner {
    size_t index;
    double weight, byGrey;
};

/// Falls linearly from 1 at the cell to 0 at its neighbours.
double tent(double at, double cell) { return std::max(0.0, 1 - std::abs(at - cell)); }

double greyOf(const glm::dvec3& colour) { return glm::dot(colour, kGrey); }

std::vector<Corner> cornersOf(const ColourGrid& grid, const Image<double>& picture, int px, int py, const glm::dvec3& colour) {
    const glm::dvec3 last = glm::dvec3(grid.cells) - 1.0;
    const double grey = greyOf(colour);
    const glm::dvec3 at = last * glm::dvec3((px + 0.5) / picture.width, (py + 0.5) / picture.height, std::clamp(grey, 0.0, 1.0));
    std::vector<Corner> corners;
    for (uint32_t z = 0; z < grid.cells.z; ++z)
        for (uint32_t y = 0; y < grid.cells.y; ++y)
            for (uint32_t x = 0; x < grid.cells.x; ++x) {
                const double across = tent(at.x, x) * tent(at.y, y);
                if (across == 0 || std::abs(at.z - z) >= 1) continue;
                const double slope = grey > 0 && grey < 1 ? (at.z < z ? last.z : -last.z) : 0;
                corners.push_back({grid.index({x, y, z}), across * tent(at.z, z), across * slope});
            }
    return corners;
}

glm::dvec3 colourAt(const Image<double>& picture, int x, int y) {
    const auto pixel = picture.at(x, y);
    return {pixel[0], pixel[1], pixel[2]};
}

/// The colour transformed by the matrix from this index on.
glm::dvec3 transformed(const ColourGrid& grid, size_t index, const glm::dvec3& c) {
    const double* m = &grid.numbers[index];
    return {m[0] * c.x + m[1] * c.y + m[2] * c.z + m[3], m[4] * c.x + m[5] * c.y + m[6] * c.z + m[7],
            m[8] * c.x + m[9] * c.y + m[10] * c.z + m[11]};
}

/// Calls visit(own, next, weight) for every number of every pair of adjacent cells.
void forEachDifference(const ColourGrid& grid, const std::function<void(size_t, size_t, double)>& visit) {
    const glm::uvec3 n = grid.cells;
    for (int axis = 0; axis < 3; ++axis) {
        glm::uvec3 pairs = n;
        pairs[axis] -= 1;
        const double weight = 1.0 / (12.0 * pairs.x * pairs.y * pairs.z);
        for (uint32_t z = 0; z < pairs.z; ++z)
            for (uint32_t y = 0; y < pairs.y; ++y)
                for (uint32_t x = 0; x < pairs.x; ++x) {
                    glm::uvec3 next(x, y, z);
                    next[axis] += 1;
                    for (size_t k = 0; k < 12; ++k) visit(grid.index({x, y, z}) + k, grid.index(next) + k, weight);
                }
    }
}

}  // namespace

ColourGrid::ColourGrid(glm::uvec3 size) : cells(size), numbers(size_t{12} * size.x * size.y * size.z) {
    for (size_t cell = 0; cell < numbers.size(); cell += 12) numbers[cell] = numbers[cell + 5] = numbers[cell + 10] = 1;
}

Image<double> corrected(const ColourGrid& grid, const Image<double>& picture) {
    Image<double> result = picture;
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x) {
            const glm::dvec3 colour = colourAt(picture, x, y);
            glm::dvec3 sum(0);
            for (const Corner& corner : cornersOf(grid, picture, x, y, colour))
                sum += transformed(grid, corner.index, colour) * corner.weight;
            for (int k = 0; k < 3; ++k) result.at(x, y)[static_cast<size_t>(k)] = sum[k];
        }
    return result;
}

std::vector<double> cellUses(const ColourGrid& grid, const Image<double>& picture) {
    std::vector<double> uses(grid.numbers.size() / 12);
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x)
            for (const Corner& corner : cornersOf(grid, picture, x, y, colourAt(picture, x, y)))
                uses[corner.index / 12] += corner.weight / (picture.width * picture.height);
    return uses;
}

ColourGrid centred(const ColourGrid& grid, const std::vector<UsedGrid>& all) {
    constexpr double kLeastUse = 1e-6;
    const ColourGrid identity(grid.cells);
    ColourGrid result = grid;
    for (size_t i = 0; i < grid.numbers.size(); ++i) {
        double sum = 0, total = 0;
        for (const UsedGrid& view : all) {
            sum += view.uses[i / 12] * (view.grid.numbers[i] - identity.numbers[i]);
            total += view.uses[i / 12];
        }
        result.numbers[i] -= sum / std::max(total, kLeastUse);
    }
    return result;
}

ColourGridGradients correctionBackward(const ColourGrid& grid, const Image<double>& picture, const Image<double>& byCorrected) {
    ColourGridGradients gradients{std::vector<double>(grid.numbers.size()), picture};
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x) {
            const glm::dvec3 colour = colourAt(picture, x, y), by = colourAt(byCorrected, x, y);
            glm::dvec3 back(0);
            for (const Corner& corner : cornersOf(grid, picture, x, y, colour)) {
                for (int row = 0; row < 3; ++row)
                    for (int column = 0; column < 4; ++column) {
                        const size_t at = corner.index + static_cast<size_t>(4 * row + column);
                        gradients.grid[at] += corner.weight * by[row] * (column < 3 ? colour[column] : 1.0);
                        if (column < 3) back[column] += corner.weight * grid.numbers[at] * by[row];
                    }
                back += kGrey * (corner.byGrey * glm::dot(by, transformed(grid, corner.index, colour)));
            }
            for (int k = 0; k < 3; ++k) gradients.picture.at(x, y)[static_cast<size_t>(k)] = back[k];
        }
    return gradients;
}

double totalVariation(const ColourGrid& grid) {
    double sum = 0;
    forEachDifference(grid, [&](size_t own, size_t next, double weight) {
        const double difference = grid.numbers[next] - grid.numbers[own];
        sum += weight * difference * difference;
    });
    return sum;
}

std::vector<double> totalVariationGradient(const ColourGrid& grid) {
    std::vector<double> gradient(grid.numbers.size());
    forEachDifference(grid, [&](size_t own, size_t next, double weight) {
        const double slope = 2 * weight * (grid.numbers[next] - grid.numbers[own]);
        gradient[next] += slope;
        gradient[own] -= slope;
    });
    return gradient;
}

double distanceToKink(const ColourGrid& grid, const glm::dvec3& colour) {
    const double at = greyOf(colour) * (grid.cells.z - 1.0);
    const double nearest = std::clamp(std::round(at), 0.0, grid.cells.z - 1.0);
    return std::abs(at - nearest);
}

}  // namespace splat::reference
