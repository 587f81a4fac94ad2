#include <splatwright/view/pixel_number.h>

#include <cmath>
#include <limits>

#include <splatwright/view/shown_pixels.h>
#include "kernels/picture_values.h"

namespace splat {

PixelNumberReader::PixelNumberReader(gpu::Device& device)
    : value_(device.buffer<float>("number of a pixel", 1)),
      told_(device.buffer<float>("number of a pixel readback", 1, gpu::Residence::readback)),
      late_(device, "number of a pixel") {}

void PixelNumberReader::ask(const Question& q) {
    SPLAT_CHECK(q.pixel.x < q.size.x && q.pixel.y < q.size.y, "pixel {},{} of {}x{}", q.pixel.x, q.pixel.y, q.size.x, q.size.y);
    gpu::Commands& c = late_.ask();
    const kernels::picture_values kernel{
        .values = value_, .first = q.pixel.y * q.size.x + q.pixel.x, .pixelCount = 1, .nothing = std::numeric_limits<float>::quiet_NaN()};
    c.dispatch(withShown(kernel, q.frame, q.groundTruth, q.size, q.show), 1);
    c.copy(value_, told_);
    late_.submit();
    pixel_ = q.pixel;
}

std::optional<PixelNumber> PixelNumberReader::answer() {
    if (!late_.take()) return std::nullopt;
    const float value = *told_.mapped<float>();
    return PixelNumber{pixel_, std::isfinite(value) ? std::optional(value) : std::nullopt};
}

}  // namespace splat
