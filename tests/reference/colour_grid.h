#pragma once

#include <array>
#include <vector>

#include <glm/glm.hpp>

#include <splatwright/core/image.h>

/// Bilateral grids of 3x4 colour matrices (Wang et al. 2024), with the grey value of Rec. 601 and the total variation of gsplat.
namespace splat::reference {

struct ColourGrid {
    glm::uvec3 cells;             ///< along the image's width and height, and over grey values
    std::vector<double> numbers;  ///< [z][y][x][row][column]: 12 per cell

    /// Identity matrices.
    explicit ColourGrid(glm::uvec3 cells);
    size_t index(glm::uvec3 cell) const { return size_t{12} * ((size_t{cell.z} * cells.y + cell.y) * cells.x + cell.x); }
};

/// The picture with the colours of each pixel transformed by the matrix that is interpolated at its position and grey value.
Image<double> corrected(const ColourGrid& grid, const Image<double>& picture);

/// Per cell, the share of the picture that its matrix transforms.
std::vector<double> cellUses(const ColourGrid& grid, const Image<double>& picture);

/// Of one view, and how much the view used each of its cells in its last step.
struct UsedGrid {
    ColourGrid grid;
    std::vector<double> uses;
};

/// The grid without what all grids add to the identity, in the mean by use.
ColourGrid centred(const ColourGrid& grid, const std::vector<UsedGrid>& all);

/// Derivatives of a loss by the grid's numbers and by the picture, from that by the corrected picture.
struct ColourGridGradients {
    std::vector<double> grid;
    Image<double> picture;
};
ColourGridGradients correctionBackward(const ColourGrid& grid, const Image<double>& picture, const Image<double>& byCorrected);

/// Per axis the mean over numbers of the squared differences between adjacent cells, summed over the axes.
double totalVariation(const ColourGrid& grid);
std::vector<double> totalVariationGradient(const ColourGrid& grid);

/// How near the grey value of a colour is to a kink of the interpolation, in cells.
double distanceToKink(const ColourGrid& grid, const glm::dvec3& colour);

}  // namespace splat::reference
