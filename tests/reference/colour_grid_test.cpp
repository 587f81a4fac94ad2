#include "reference/colour_grid.h"

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>

namespace splat::reference {
namespace {

ColourGrid randomGrid(glm::uvec3 cells) {
    ColourGrid grid(cells);
    Rng rng(5);
    for (double& number : grid.numbers) number += 0.3 * rng.normal();
    return grid;
}

/// Colours of which some are outside 0..1, none near a kink.
Image<double> randomPicture(const ColourGrid& grid, int width, int height) {
    Image<double> picture(width, height, 3);
    Rng rng(6);
    for (size_t p = 0; p < picture.pixels.size(); p += 3) {
        glm::dvec3 colour;
        do {
            colour = {rng.uniform(-0.2, 1.3), rng.uniform(-0.2, 1.3), rng.uniform(-0.2, 1.3)};
        } while (distanceToKink(grid, colour) < 1e-3);
        for (int k = 0; k < 3; ++k) picture.pixels[p + static_cast<size_t>(k)] = colour[k];
    }
    return picture;
}

TEST(ReferenceColourGrid, IdentitiesChangeNothing) {
    const ColourGrid grid({4, 3, 5});
    const Image<double> picture = randomPicture(grid, 7, 5), result = corrected(grid, picture);
    for (size_t i = 0; i < picture.pixels.size(); ++i) EXPECT_NEAR(result.pixels[i], picture.pixels[i], 1e-14);
    EXPECT_EQ(totalVariation(grid), 0);
}

// A single pixel is in the middle of the image: the mean of the cells around it, weighted by its grey value of 0.25.
TEST(ReferenceColourGrid, InterpolatesBetweenCells) {
    ColourGrid grid({2, 2, 2});
    for (uint32_t y = 0; y < 2; ++y) grid.numbers[grid.index({1, y, 0}) + 3] = 1;  // adds 1 to red on the right, where dark
    Image<double> picture(1, 1, 3);
    picture.pixels = {0.25, 0.25, 0.25};
    EXPECT_NEAR(corrected(grid, picture).pixels[0], 0.25 + 0.5 * 0.75, 1e-14);
    EXPECT_NEAR(corrected(grid, picture).pixels[1], 0.25, 1e-14);
    EXPECT_NEAR(totalVariation(grid), 2 / (12.0 * 4) + 2 / (12.0 * 4), 1e-14);  // two pairs in x, two in z
}

TEST(ReferenceColourGrid, BackwardIsTheDerivative) {
    ColourGrid grid = randomGrid({4, 3, 5});
    Image<double> picture = randomPicture(grid, 9, 7), weights(9, 7, 3);
    Rng rng(8);
    for (double& weight : weights.pixels) weight = rng.normal();
    const auto value = [&] {
        const Image<double> result = corrected(grid, picture);
        double sum = 0;
        for (size_t i = 0; i < result.pixels.size(); ++i) sum += result.pixels[i] * weights.pixels[i];
        return sum;
    };
    const auto slope = [&](double& number) {
        const double kept = number, step = 1e-6;
        number = kept + step;
        const double up = value();
        number = kept - step;
        const double down = value();
        number = kept;
        return (up - down) / (2 * step);
    };
    const ColourGridGradients gradients = correctionBackward(grid, picture, weights);
    for (size_t i = 0; i < grid.numbers.size(); ++i) EXPECT_NEAR(gradients.grid[i], slope(grid.numbers[i]), 1e-8) << i;
    for (size_t i = 0; i < picture.pixels.size(); ++i) EXPECT_NEAR(gradients.picture.pixels[i], slope(picture.pixels[i]), 1e-7) << i;
}

TEST(ReferenceColourGrid, VariationGradientIsTheDerivative) {
    ColourGrid grid = randomGrid({3, 4, 2});
    const std::vector<double> gradient = totalVariationGradient(grid);
    for (size_t i = 0; i < grid.numbers.size(); ++i) {
        const double kept = grid.numbers[i], step = 1e-4;
        grid.numbers[i] = kept + step;
        const double up = totalVariation(grid);
        grid.numbers[i] = kept - step;
        const double down = totalVariation(grid);
        grid.numbers[i] = kept;
        EXPECT_NEAR(gradient[i], (up - down) / (2 * step), 1e-10) << i;
    }
}

}  // namespace
}  // namespace splat::reference
