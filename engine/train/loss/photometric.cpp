#include <splatwright/train/loss/photometric.h>

#include <algorithm>
#include <array>

#include <splatwright/core/error.h>
#include <splatwright/train/loss/loss.h>
#include "kernels/pixel_loss.h"
#include "kernels/ssim_backward.h"
#include "kernels/ssim_forward.h"
#include "kernels/sum_loss.h"

namespace splat {
namespace {

constexpr uint32_t kChannels = 3;
static_assert(static_cast<uint32_t>(Coverage::none) == shared::kCoverageNone);
static_assert(static_cast<uint32_t>(Coverage::alpha) == shared::kCoverageAlpha);
static_assert(static_cast<uint32_t>(Coverage::mask) == shared::kCoverageMask);

/// One group per tile.
struct Tiles {
    uint32_t across;
    uint32_t down;

    uint32_t count() const { return across * down; }
};

constexpr uint32_t quotientRoundedUp(uint32_t dividend, uint32_t divisor) { return (dividend + divisor - 1) / divisor; }

Tiles wideTiles(uint32_t width, uint32_t height) {
    return {quotientRoundedUp(width, shared::kLossTileLong), quotientRoundedUp(height, shared::kLossTileShort)};
}

size_t valuesOf(uint32_t width, uint32_t height) { return size_t{width} * height * kChannels; }

/// Windows of an image including the padding of columns (derivativeIndex in shaders/lib/train/ssim.slang).
size_t derivativesOf(uint32_t width, uint32_t height) {
    return valuesOf(width, quotientRoundedUp(height, shared::kLossTileShort) * shared::kLossTileShort);
}

template <class K>
void dispatchTiles(gpu::Commands& commands, const K& kernel, const Tiles& tiles) {
    commands.dispatch2D(kernel, tiles.across * K::info().groupSize[0], tiles.down);
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
      byMeanAndProduct(arena.take<glm::vec2>("ssim by mean and product", derivativesOf(width, height))),
      byDifferences(arena.take<float>("ssim by differences", derivativesOf(width, height))),
      tileSums(device.buffer<shared::LossSums>(
          "loss tile sums", std::max(wideTiles(width, height).count(), quotientRoundedUp(width * height, shared::kBlock)))) {}

uint64_t LossScratch::bytes(uint32_t width, uint32_t height) {
    return gpu::Arena::bytes<glm::vec2>(derivativesOf(width, height)) + gpu::Arena::bytes<float>(derivativesOf(width, height));
}

namespace {

/// Weights of the terms per value.
struct Weights {
    float l1, l2, ssim;
};

Weights weightsOf(const LossInputs& in) {
    const float perValue = 1.0F / static_cast<float>(valuesOf(in.width, in.height));
    const float pixels = (1 - in.ssimLambda) * perValue;
    return {.l1 = pixels * (1 - in.l2Share), .l2 = pixels * in.l2Share, .ssim = in.ssimLambda * perValue};
}

void recordSum(gpu::Commands& commands, const LossScratch& scratch, const LossOutputs& out, uint32_t tiles) {
    commands.dispatchGroups(kernels::sum_loss{.tileSums = scratch.tileSums, .sums = words(out.sums), .tiles = tiles, .first = out.firstSum},
                            1);
}

void recordPixelLoss(gpu::Commands& commands, const LossInputs& in, const LossScratch& scratch, const LossOutputs& out) {
    const uint32_t pixels = in.width * in.height;
    const Weights weights = weightsOf(in);
    commands.dispatch(kernels::pixel_loss{.colour = words(in.colour),
                                          .target = in.target,
                                          .step = in.step,
                                          .tileSums = scratch.tileSums,
                                          .gradient = words(out.gradient),
                                          .pixels = pixels,
                                          .l1Weight = weights.l1,
                                          .l2Weight = weights.l2,
                                          .kCoverage = static_cast<uint32_t>(in.coverage)},
                      pixels);
    recordSum(commands, scratch, out, quotientRoundedUp(pixels, shared::kBlock));
}

}  // namespace

void recordPhotometricLoss(gpu::Commands& commands, const LossInputs& in, const LossScratch& scratch, const LossOutputs& out) {
    checkSizes(in, scratch, out);
    if (in.ssimLambda == 0) return recordPixelLoss(commands, in, scratch, out);
    const Tiles tiles = wideTiles(in.width, in.height);
    const glm::ivec2 size(in.width, in.height);
    const Weights weights = weightsOf(in);
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
    recordSum(commands, scratch, out, tiles.count());
    dispatchTiles(commands,
                  kernels::ssim_backward{.colour = words(in.colour),
                                         .target = in.target,
                                         .step = in.step,
                                         .byMeanAndProduct = scratch.byMeanAndProduct,
                                         .byDifferences = scratch.byDifferences,
                                         .gradient = words(out.gradient),
                                         .size = size,
                                         .l1Weight = weights.l1,
                                         .l2Weight = weights.l2,
                                         .ssimWeight = weights.ssim,
                                         .kCoverage = static_cast<uint32_t>(in.coverage)},
                  Tiles{quotientRoundedUp(in.width, shared::kLossTileShort), quotientRoundedUp(in.height, shared::kLossTileLong)});
}

namespace {

double perValue(double sum, const LossSizes& sizes) { return sum / static_cast<double>(valuesOf(sizes.width, sizes.height)); }

constexpr std::array kTerms{
    LossTerm{"l1", [](const TrainSettings& s, uint32_t) { return (1 - s.ssimLambda) * (1 - s.l2Share); }, perValue},
    LossTerm{"dssim", [](const TrainSettings& s, uint32_t) { return s.ssimLambda; },
             [](double sum, const LossSizes& sizes) { return 1 - perValue(sum, sizes); }},
    LossTerm{"l2", [](const TrainSettings& s, uint32_t) { return (1 - s.ssimLambda) * s.l2Share; }, perValue},
};

}  // namespace

extern const LossRow kPhotometricLoss{
    .terms = kTerms,
    .make = [](gpu::Device&) -> LossRecorder {
        return [](gpu::Commands& c, const LossJob& job, gpu::BufferSlice sums, uint32_t first) {
            recordPhotometricLoss(c,
                                  {.colour = job.colour,
                                   .target = job.target,
                                   .width = job.width,
                                   .height = job.height,
                                   .ssimLambda = static_cast<float>(job.settings.ssimLambda),
                                   .l2Share = static_cast<float>(job.settings.l2Share),
                                   .step = job.step,
                                   .coverage = job.coverage},
                                  job.scratch, {.gradient = job.colourGradients, .sums = sums, .firstSum = first});
        };
    },
};

}  // namespace splat
