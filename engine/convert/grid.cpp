// Copies the splats side by side on the ground, as large scenes for measurements are made of small ones.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <splatwright/convert/operation.h>
#include <splatwright/core/error.h>
#include <splatwright/core/random.h>
#include <splatwright/core/read_number.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/gaussians/attributes.h>
#include <splatwright/scene/gaussians/model_transform.h>

namespace splat {
namespace {

constexpr uint32_t kMostAlong = 1000;                    // columns, and rows
constexpr uint64_t kMostSplats = UINT32_MAX;             // an index has 32 bits
constexpr size_t kSlice = 4096;                          // splats per thread and step
constexpr double kSpacing = 1.1;                         // from copy to copy, relative to the size of one
constexpr double kOutliers = 0.01;                       // of the splats at either end, which do not count for the size
constexpr double kMostShift = 0.25, kMostGrowth = 0.25;  // at full jitter, of the spacing and of the size

struct Grid {
    uint32_t columns = 0, rows = 0;

    uint64_t copies() const { return uint64_t{columns} * rows; }
};

Grid gridOf(std::string_view text) {
    Grid grid;
    const size_t x = text.find('x');
    const auto read = [](std::string_view part, uint32_t& number) {
        return readNumber(part, number) && number >= 1 && number <= kMostAlong;
    };
    if (x == std::string_view::npos || !read(text.substr(0, x), grid.columns) || !read(text.substr(x + 1), grid.rows))
        throw InputError("expected COLUMNSxROWS such as 3x2, 1 to {} each", kMostAlong);
    return grid;
}

struct Interval {
    double low = 0, high = 0;
};

/// Where the splats are along an axis, but for a few at either end.
Interval mostAlong(const Gaussians& gaussians, int axis) {
    std::vector<float> places;
    for (const glm::vec3& mean : gaussians.means)
        if (std::isfinite(mean[axis])) places.push_back(mean[axis]);
    if (places.empty()) return {};
    const auto dropped = static_cast<std::ptrdiff_t>(kOutliers * static_cast<double>(places.size()));
    const auto at = [&](std::ptrdiff_t rank) {
        std::ranges::nth_element(places, places.begin() + rank);
        return static_cast<double>(places[static_cast<size_t>(rank)]);
    };
    return {.low = at(dropped), .high = at(std::ssize(places) - 1 - dropped)};
}

/// The ground that one copy takes. y points down.
struct Plot {
    glm::dvec3 foot{0};   ///< middle of the lower side, about which a copy is turned and scaled
    double x = 1, z = 1;  ///< from copy to copy
};

Plot plotOf(const Gaussians& gaussians) {
    const Interval x = mostAlong(gaussians, 0), y = mostAlong(gaussians, 1), z = mostAlong(gaussians, 2);
    const auto spacing = [](const Interval& i) { return i.high > i.low ? kSpacing * (i.high - i.low) : 1; };
    return {.foot = {(x.low + x.high) / 2, y.high, (z.low + z.high) / 2}, .x = spacing(x), .z = spacing(z)};
}

/// Where a copy goes. Its random numbers depend on nothing but its index.
ModelTransform placeOf(const Grid& grid, const Plot& plot, uint32_t copy, double jitter) {
    const uint32_t column = copy % grid.columns, row = copy / grid.columns;
    const glm::dvec3 place(plot.x * column, 0, plot.z * row);
    if (jitter == 0) return {.translation = place};
    const auto words = random128(0, copy, 0);
    const auto random = [&](size_t i) { return jitter * (0x1p-31 * words[i] - 1); };  // -jitter to jitter
    const glm::dvec3 shift(kMostShift * plot.x * random(1), 0, kMostShift * plot.z * random(2));
    ModelTransform transform{.rotation = glm::angleAxis(std::numbers::pi * random(0), glm::dvec3(0, 1, 0)),
                             .scale = 1 + kMostGrowth * random(3)};
    transform.translation = plot.foot + shift + place - transform.scale * (transform.rotation * plot.foot);
    return transform;
}

Change grid(std::string_view text, float jitter) {
    return [grid = gridOf(text), jitter](Gaussians& gaussians, const LazyDevice&) {
        const size_t one = gaussians.count(), all = one * grid.copies();
        if (all > kMostSplats)
            throw InputError("found {} copies of {} splats, expected at most {} splats together", grid.copies(), one, kMostSplats);
        const Plot plot = plotOf(gaussians);
        gaussians.resize(all, gaussians.shDegree);
        parallelEach(all - one, kSlice, [&](size_t i) { copyGaussian(gaussians, one + i, gaussians, i % one); });
        for (uint32_t copy = 0; copy < grid.copies(); ++copy)
            transform(gaussians, copy * one, one, placeOf(grid, plot, copy, static_cast<double>(jitter)));
    };
}

}  // namespace

extern const SplatOperation kGridOperation{
    .name = "grid",
    .value = "COLUMNSxROWS",
    .help = "Copy side by side on the ground, columns along x and rows along z; each copy is stored (1 to 1000 each)",
    .number = {.name = "jitter", .max = 1, .help = "Turn each copy of a grid about the vertical axis, move and scale it at random"},
    .ofTextAndNumber = grid};

}  // namespace splat
