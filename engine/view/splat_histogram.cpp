#include <splatwright/view/splat_histogram.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "kernels/bin_numbers.h"
#include "kernels/splat_errors.h"
#include "kernels/splat_numbers.h"

namespace splat {

namespace {

constexpr uint32_t kAnswerWords = 2 + 2 * shared::kHistogramBins;  // of an answer: the range, and both histograms
constexpr VkDeviceSize kWord = sizeof(uint32_t);

}  // namespace

uint64_t Histogram::count() const { return std::accumulate(all.begin(), all.end(), uint64_t{0}); }

double Histogram::valueAt(double place) const { return valueAtPlace(place, range, quantity->logarithmic && range.first > 0); }

double Histogram::placeOf(double value) const {
    return std::clamp(placeInRange(value, range, quantity->logarithmic && range.first > 0), 0.0, 1.0);
}

SplatHistogram::SplatHistogram(gpu::Device& device)
    : device_(device),
      percentiles_(device),
      numbers_(device.buffer<float>("numbers of gaussians", 1)),
      errorSums_(device.buffer<uint32_t>("errors of gaussians", 1)),
      range_(device.buffer<uint32_t>("range of numbers", 2)),
      bins_(device.buffer<uint32_t>("histogram", size_t{2} * shared::kHistogramBins)),
      told_(device.buffer<uint32_t>("histogram readback", kAnswerWords, gpu::Residence::readback)),
      late_(device, "histogram") {}

/// Enlarges the buffers for the world. Selections may still read the numbers.
void SplatHistogram::fit(const World& world, const SplatQuantity& quantity) {
    const uint64_t gaussians = world.buffers().capacity;
    const auto grow = [&](gpu::Buffer& buffer, const char* name, uint64_t words) {
        if (buffer.bytes() >= words * kWord) return;
        device_.waitForAll();
        buffer = {};
        buffer = device_.buffer<uint32_t>(name, words);
    };
    grow(numbers_, "numbers of gaussians", gaussians);
    if (quantity.need == RenderModeNeed::groundTruth) grow(errorSums_, "errors of gaussians", gaussians * shared::kErrorSumWords);
}

void SplatHistogram::ask(const World& world, const SplatQuantity& quantity, const Frame& frame) {
    gpu::Commands& c = late_.ask();
    fit(world, quantity);
    const uint32_t count = world.buffers().capacity;
    c.stage("histogram");
    recordNumbers(c, world, quantity, frame);
    percentiles_.record(c, numbers_, count, range_, false);
    c.fill(bins_, 0);
    c.dispatch(kernels::bin_numbers{.numbers = numbers_,
                                    .marks = world.marks(),
                                    .range = range_,
                                    .bins = bins_,
                                    .numberCount = count,
                                    .logarithmic = quantity.logarithmic ? 1u : 0u},
               (uint64_t{count} + shared::kNumbersPerThread - 1) / shared::kNumbersPerThread);
    c.copy(range_, told_.slice(0, 2 * kWord));
    c.copy(bins_, told_.slice(2 * kWord, bins_.bytes()));
    late_.submit();
    quantity_ = &quantity;
    generation_ = world.generation();
}

void SplatHistogram::recordNumbers(gpu::Commands& c, const World& world, const SplatQuantity& quantity, const Frame& frame) const {
    const FrameBuffers& f = frame.buffers;
    if (quantity.need == RenderModeNeed::groundTruth) {
        c.fill(errorSums_, 0);
        c.dispatchGroups(kernels::splat_errors{.colours = f.colours,
                                               .groundTruth = frame.groundTruth,
                                               .errorSums = errorSums_,
                                               .tileRanges = f.tileRanges,
                                               .gaussianFromInstance = Forward::gaussianFromInstance(f),
                                               .projected = f.projected,
                                               .size = frame.size},
                         tileGrid(frame.size.x, frame.size.y).count());
    }
    const kernels::splat_numbers kernel{.activeCount = world.buffers().count,
                                        .models = frame.models,
                                        .counts = world.counts(),
                                        .marks = world.marks(),
                                        .gradients = world.gradients(),
                                        .projected = f.projected,
                                        .tileCounts = f.tileCounts,
                                        .errorSums = errorSums_,
                                        .numbers = numbers_,
                                        .kQuantity = quantity.quantity};
    c.dispatch(withModel(kernel, world.buffers()), world.buffers().capacity);
}

std::optional<Histogram> SplatHistogram::answer() {
    if (!late_.take()) return std::nullopt;
    const auto* words = told_.mapped<uint32_t>();
    Histogram h{.quantity = quantity_, .milliseconds = late_.milliseconds()};
    if (words[0] <= words[1]) h.range = {std::bit_cast<float>(words[0]), std::bit_cast<float>(words[1])};
    if (quantity_->logarithmic) h.range.first = std::max(h.range.first, h.range.second * static_cast<float>(shared::kLeastHistogramPart));
    std::copy_n(words + 2, h.all.size(), h.all.begin());
    std::copy_n(words + 2 + h.all.size(), h.selected.size(), h.selected.begin());
    return h;
}

}  // namespace splat
