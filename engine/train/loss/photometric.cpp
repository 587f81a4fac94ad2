#include <splatwright/train/loss/photometric.h>

#include <array>

#include <splatwright/core/error.h>
#include <splatwright/train/loss/loss.h>
#include "kernels/ssim_backward.h"
#include "kernels/ssim_forward.h"
#include "kernels/sum_loss.h"

namespace splat {
namespace {

constexpr uint32_t kChannels = 3;
static_assert(static_cast<uint32_t>(Coverage::none) == shared::kCoverageNone);
static_assert(static_cast<uint32_t>(Coverage::alpha) == shared::kCoverageAlpha);
static_assert(static_cast<uint32_t>(Coverage::mask) == shared::kCoverageMask);

struct Tiles {
    uint32_t across;  // groups per row: one group per channel of a tile
    uint32_t down;

    Tiles(uint32_t width, uint32_t height)
        : across((width + shared::kLossTileWidth - 1) / shared::kLossTileWidth * kChannels),
          down((height + shared::kLossTileHeight - 1) / shared::kLossTileHeight) {}
    uint32_t count() const { return across * down; }
};

size_t valuesOf(uint32_t width, uint32_t height) { return size_t{width} * height * kChannels; }

/// Dispatches one group per tile and channel; a tile is higher than its group of threads.
template <class K>
void dispatchTiles(gpu::Commands& commands, const K& kernel, const Tiles& tiles) {
    commands.dispatch2D(kernel, tiles.across * K::info().groupSize[0], tiles.down * K::info().groupSize[1]);
}

/// Views a buffer of float vectors or structs as floats.
gpu::BufferSlice words(gpu::BufferSlice slice) {
    slice.stride = 0;
    return slice;
}

void checkSizes(const LossInputs& in, const LossScratch& scratch, const LossOutputs& out) {
    SPLAT_CHECK(in.width > 0 && in.height > 0 && in.width <= scratch.maxWidth && in.height <= scratch.maxHeight, "{}x{}, scratch for {}x{}",
                in.width, in.height, scratch.maxWidth, scratch.maxHeight);
    const size_t values = valuesOf(in.width, in.height);
    SPLAT_CHECK(in.colour.bytes >= values * sizeof(float), "colour has {} bytes for {} values", in.colour.bytes, values);
    SPLAT_CHECK(in.target.bytes >= values / kChannels * sizeof(uint32_t), "target has {} bytes for {}x{}", in.target.bytes, in.width,
                in.height);
    SPLAT_CHECK(out.gradient.bytes >= values * sizeof(float), "gradient has {} bytes for {} values", out.gradient.bytes, values);
}

}  // namespace

LossScratch::LossScratch(gpu::Device& device, gpu::Arena& arena, uint32_t width, uint32_t height)
    : maxWidth(width),
      maxHeight(height),
      byMeanAndProduct(arena.take<glm::vec2>("ssim by mean and product", valuesOf(width, height))),
      byDifferences(arena.take<float>("ssim by differences", valuesOf(width, height))),
      tileSums(device.buffer<shared::LossSums>("loss tile sums", Tiles(width, height).count())) {}

uint64_t LossScratch::bytes(uint32_t width, uint32_t height) {
    return gpu::Arena::bytes<glm::vec2>(valuesOf(width, height)) + gpu::Arena::bytes<float>(valuesOf(width, height));
}

void recordPhotometricLoss(gpu::Commands& commands, const LossInputs& in, const LossScratch& scratch, const LossOutputs& out) {
    checkSizes(in, scratch, out);
    const Tiles tiles(in.width, in.height);
    const glm::ivec2 size(in.width, in.height);
    const float perValue = 1.0F / static_cast<float>(valuesOf(in.width, in.height));
    dispatchTiles(commands,
                  kernels::ssim_forward{.colour = words(in.colour),
                                        .target = in.target,
                                        .step = in.step,
                                        .byMeanAndProduct = scratch.byMeanAndProduct,
                                        .byDifferences = scratch.byDifferences,
                                        .tileSums = scratch.tileSums,
                                        .size = size,
                                        .groupsAcross = tiles.across,
                                        .kCoverage = static_cast<uint32_t>(in.coverage)},
                  tiles);
    // Before the gradient, so that this single group overlaps with it.
    commands.dispatchGroups(
        kernels::sum_loss{.tileSums = scratch.tileSums, .sums = words(out.sums), .tiles = tiles.count(), .first = out.firstSum}, 1);
    dispatchTiles(commands,
                  kernels::ssim_backward{.colour = words(in.colour),
                                         .target = in.target,
                                         .step = in.step,
                                         .byMeanAndProduct = scratch.byMeanAndProduct,
                                         .byDifferences = scratch.byDifferences,
                                         .gradient = words(out.gradient),
                                         .size = size,
                                         .l1Weight = (1 - in.ssimLambda) * perValue,
                                         .ssimWeight = in.ssimLambda * perValue,
                                         .kCoverage = static_cast<uint32_t>(in.coverage)},
                  tiles);
}

namespace {

double perValue(double sum, const LossSizes& sizes) { return sum / static_cast<double>(valuesOf(sizes.width, sizes.height)); }

constexpr std::array kTerms{
    LossTerm{"l1", [](const TrainSettings& s, uint32_t) { return 1 - s.ssimLambda; }, perValue},
    LossTerm{"dssim", [](const TrainSettings& s, uint32_t) { return s.ssimLambda; },
             [](double sum, const LossSizes& sizes) { return 1 - perValue(sum, sizes); }},
};

LossRecorder makePhotometricLoss(gpu::Device&) {
    return [](gpu::Commands& c, const LossJob& job, gpu::BufferSlice sums, uint32_t first) {
        recordPhotometricLoss(c,
                              {.colour = job.colour,
                               .target = job.target,
                               .width = job.width,
                               .height = job.height,
                               .ssimLambda = static_cast<float>(job.settings.ssimLambda),
                               .step = job.step,
                               .coverage = job.coverage},
                              job.scratch, {.gradient = job.colourGradients, .sums = sums, .firstSum = first});
    };
}

}  // namespace

extern const LossRow kPhotometricLoss{.terms = kTerms, .make = makePhotometricLoss};

}  // namespace splat
