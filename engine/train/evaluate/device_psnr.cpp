#include <splatwright/train/evaluate/device_psnr.h>

#include <algorithm>
#include <numeric>

#include <splatwright/core/psnr.h>
#include <splatwright/core/threads.h>
#include "kernels/sum_squared_errors.h"

namespace splat {

namespace {

uint32_t groupsOf(uint32_t pixels) { return (pixels + shared::kBlock - 1) / shared::kBlock; }

/// One word per pixel: red in the low byte, the mask in the high one.
void writeWords(std::span<uint32_t> words, const Photograph& photograph, glm::vec3 background) {
    const Image8 image = composited(photograph, background);
    for (size_t i = 0; i < words.size(); ++i) {
        const uint32_t mask = photograph.covers == Coverage::mask ? photograph.coverage.pixels[i] : 255;
        words[i] = image.pixels[3 * i] | uint32_t{image.pixels[3 * i + 1]} << 8u | uint32_t{image.pixels[3 * i + 2]} << 16u | mask << 24u;
    }
}

}  // namespace

DevicePsnr::DevicePsnr(gpu::Device& device, std::span<const Photograph> photographs, glm::vec3 background) {
    uint32_t all = 0, groups = 0;
    for (const Photograph& photograph : photographs) {
        const auto pixels = static_cast<uint32_t>(photograph.image.pixels.size() / 3);
        cameras_.push_back(photograph.camera);
        views_.push_back({all, pixels, groups, groupsOf(pixels)});
        all += pixels;
        groups += groupsOf(pixels);
    }
    std::vector<uint32_t> words(all);
    parallelFor(views_.size(), [&](size_t i) {
        writeWords(std::span(words).subspan(views_[i].firstPixel, views_[i].pixels), photographs[i], background);
    });
    photographs_ = device.buffer<uint32_t>("withheld photographs", words.size());
    squaredErrors_ = device.buffer<uint32_t>("squared errors", groups, gpu::Residence::readback);
    device.upload(photographs_, words);
}

std::vector<double> DevicePsnr::perView(Renderer& renderer, const EvaluatedModel& model) const {
    const auto recordSums = [&](gpu::Commands& c, const FrameBuffers& frame, size_t i) {
        const View& view = views_[i];
        c.dispatch(kernels::sum_squared_errors{.colours = frame.colours,
                                               .photographs = photographs_,
                                               .squaredErrors = squaredErrors_,
                                               .firstPixel = view.firstPixel,
                                               .pixelCount = view.pixels,
                                               .firstGroup = view.firstGroup},
                   view.pixels);
    };
    renderer.drawAll(model.gaussians, cameras_, {model.background, model.shDegree}, recordSums);
    const auto* sums = squaredErrors_.mapped<uint32_t>();
    std::vector<double> psnrs;
    for (const View& view : views_) {
        const auto* first = sums + view.firstGroup;
        const uint64_t squares = std::accumulate(first, first + view.groups, uint64_t{0});
        psnrs.push_back(std::min(psnrOf(squares, 3 * uint64_t{view.pixels}), kMostInMean));
    }
    return psnrs;
}

}  // namespace splat
