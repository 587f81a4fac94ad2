#include <splatwright/explain/explanation.h>

#include <algorithm>
#include <numeric>

#include <splatwright/train/densify/mcmc_settings.h>
#include <splatwright/train/loss/picture_gradient.h>
#include <splatwright/train/loss/targets.h>

namespace splat::explain {

namespace {

constexpr size_t kTrees = 4;        // of the splats that the pixel shows most; a tree takes some 100 KiB of a page
constexpr uint32_t kDrawSeed = 42;  // of the random number that is inverted

/// Places of the splats with the largest weights at the pixel.
std::vector<uint32_t> foremost(const PixelBlend& blend, uint32_t reached) {
    std::vector<uint32_t> places(std::min<size_t>(blend.steps.size(), reached));
    std::iota(places.begin(), places.end(), 0u);
    std::ranges::stable_sort(places, std::greater(), [&](uint32_t place) { return blend.steps[place].weight; });
    places.resize(std::min(places.size(), kTrees));
    return places;
}

BackwardExplanation explainBackward(const TileBackward& backward, const PixelBlend& blend) {
    BackwardExplanation found{.colourGradients = backward.colourGradients(),
                              .weights = backward.weights(),
                              .sums = backward.sums(),
                              .trees = {},
                              .methods = backward.methods(),
                              .retries = backward.retries(),
                              .lanes = backward.lanes()};
    for (const uint32_t place : foremost(blend, backward.tile().tile().reached)) found.trees.push_back(backward.tree(place));
    return found;
}

ImageF pictureOf(const TileFrame& tile) {
    ImageF picture(static_cast<int>(tile.size().x), static_cast<int>(tile.size().y), 3);
    tile.device().download(tile.frame().colours, std::as_writable_bytes(std::span(picture.pixels)));
    return picture;
}

}  // namespace

Explanation explain(gpu::Device& device, const primitives::RadixSort& sort, const EvaluatedModel& model, Photograph photograph,
                    glm::uvec2 pixel) {
    const TileFrame tile(device, sort, model, photograph.camera, pixel);
    Explanation e{.view = photograph.name,
                  .device = device.name(),
                  .picture = pictureOf(tile),
                  .background = model.background,
                  .instances = tile.instances(),
                  .emitted = tile.emitted(),
                  .look = lookAt(device, tile.frame(), tile.size(), pixel, model.gaussians.kind.summed),
                  .backward = {},
                  .draw = drawForDivision(device, model.gaussians, kDrawSeed, McmcSettings().growFactor)};
    const Targets targets(device, {&photograph, 1}, UINT64_MAX);
    const gpu::Buffer gradients = photometricGradient(device, tile.frame(), tile.parameters(), targets, tile.size());
    e.backward = explainBackward(TileBackward(tile, gradients), e.look.blend);
    return e;
}

}  // namespace splat::explain
