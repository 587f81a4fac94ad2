#include <splatwright/view/splat_quantities.h>

#include <algorithm>
#include <array>

#include <fmt/ranges.h>

#include <splatwright/core/error.h>

namespace splat {

namespace {

using namespace shared;

constexpr std::array kQuantities{
    SplatQuantity{.name = "scale",
                  .label = "Scale",
                  .help = "Largest standard deviation of a splat",
                  .quantity = kQuantityScale,
                  .unit = "world units"},
    SplatQuantity{
        .name = "opacity", .label = "Opacity", .help = "Opacity at the centre", .quantity = kQuantityOpacity, .logarithmic = false},
    SplatQuantity{.name = "sh-energy",
                  .label = "SH energy",
                  .help = "Sum of squares of the SH coefficients above degree 0: how much the colour depends on the view",
                  .quantity = kQuantityShEnergy},
    SplatQuantity{.name = "radius",
                  .label = "Screen radius",
                  .help = "Screen radius of the splats in the picture",
                  .quantity = kQuantityRadius,
                  .unit = "pixels"},
    SplatQuantity{.name = "gradient",
                  .label = "Gradient",
                  .help = "Mean screen-space positional gradient since the last densification, which decides about splits",
                  .quantity = kQuantityGradient,
                  .need = RenderModeNeed::gradients},
    SplatQuantity{.name = "error",
                  .label = "Error",
                  .help = "Mean absolute difference from the ground truth in a splat's pixels, weighted by contribution",
                  .quantity = kQuantityError,
                  .need = RenderModeNeed::groundTruth}};

}  // namespace

std::span<const SplatQuantity> splatQuantities() { return kQuantities; }

const SplatQuantity& splatQuantityByName(std::string_view name) {
    const auto* const row = std::ranges::find(kQuantities, name, &SplatQuantity::name);
    if (row != kQuantities.end()) return *row;
    std::vector<std::string_view> known;
    for (const SplatQuantity& q : kQuantities) known.push_back(q.name);
    throw InputError("unknown quantity '{}', expected one of {}", name, fmt::join(known, ", "));
}

}  // namespace splat
