#include <splatwright/view/picture_difference.h>

#include <numeric>

#include <splatwright/core/psnr.h>
#include "kernels/picture_difference.h"

namespace splat {

namespace {

constexpr VkDeviceSize kWord = sizeof(uint32_t);

uint64_t groupsOf(uint64_t pixels) { return (pixels + shared::kBlock - 1) / shared::kBlock; }

}  // namespace

double PictureDifference::Answer::psnr() const { return psnrOf(squaredError, uint64_t{3} * size.x * size.y); }

PictureDifference::PictureDifference(gpu::Device& device) : device_(device), late_(device, "difference of pictures") {}

/// A frame may show the picture.
void PictureDifference::fit(uint64_t pixels, bool keeps) {
    const auto grow = [&](gpu::Buffer& buffer, const char* name, uint64_t words, gpu::Residence residence) {
        if (buffer && buffer.bytes() >= words * kWord) return;
        device_.waitForAll();
        buffer = {};
        buffer = device_.buffer<uint32_t>(name, words, residence);
    };
    grow(difference_, "difference of pictures", pixels, gpu::Residence::device);
    grow(groupSums_, "squared errors", groupsOf(pixels), gpu::Residence::device);
    grow(toldSums_, "squared errors readback", groupsOf(pixels), gpu::Residence::readback);
    if (keeps) grow(kept_, "compared pictures readback", 2 * pixels, gpu::Residence::readback);
}

void PictureDifference::ask(const PicturePair& pair, float white, bool keeps) {
    SPLAT_CHECK(pair.pixels() > 0 && white > 0, "{}x{} pixels, white at {}", pair.size.x, pair.size.y, white);
    gpu::Commands& c = late_.ask();
    fit(pair.pixels(), keeps);
    c.stage("difference");
    c.dispatch(kernels::picture_difference{.first = pair.first,
                                           .second = pair.second,
                                           .difference = difference_,
                                           .groupSums = groupSums_,
                                           .pixelCount = static_cast<uint32_t>(pair.pixels()),
                                           .white = white},
               pair.pixels());
    const uint64_t bytes = pair.pixels() * kWord, sums = groupsOf(pair.pixels()) * kWord;
    c.copy(groupSums_.slice(0, sums), toldSums_.slice(0, sums));
    if (keeps) {
        const auto start = [bytes](gpu::BufferSlice picture) { return gpu::BufferSlice{picture.buffer, picture.offset, bytes}; };
        c.copy(start(pair.first), kept_.slice(0, bytes));
        c.copy(start(pair.second), kept_.slice(bytes, bytes));
        keptPixels_ = pair.pixels();
    }
    late_.submit();
    asked_ = {.size = pair.size, .keeps = keeps};
}

std::optional<PictureDifference::Answer> PictureDifference::answer() {
    if (!late_.take()) return std::nullopt;
    const auto* sums = toldSums_.mapped<uint32_t>();
    asked_.squaredError = std::accumulate(sums, sums + groupsOf(uint64_t{asked_.size.x} * asked_.size.y), uint64_t{0});
    return asked_;
}

std::span<const uint32_t> PictureDifference::kept(uint64_t which) const {
    return {kept_.mapped<uint32_t>() + which * keptPixels_, keptPixels_};
}

}  // namespace splat
