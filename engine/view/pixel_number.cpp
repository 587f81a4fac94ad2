#include <splatwright/view/pixel_number.h>

#include <cmath>
#include <limits>

#include <splatwright/core/log.h>
#include "kernels/picture_values.h"

namespace splat {

PixelNumberReader::PixelNumberReader(gpu::Device& device)
    : device_(device),
      value_(device.buffer<float>("number of a pixel", 1)),
      told_(device.buffer<float>("number of a pixel readback", 1, gpu::Residence::readback)) {}

PixelNumberReader::~PixelNumberReader() {
    try {
        finish();
    } catch (const Error& e) {
        spdlog::debug("while leaving a reader of pixels: {}", e.what());
    }
}

void PixelNumberReader::ask(const Question& q) {
    SPLAT_CHECK(!asked_, "the answer for {},{} is still to come", pixel_.x, pixel_.y);
    SPLAT_CHECK(q.pixel.x < q.size.x && q.pixel.y < q.size.y, "pixel {},{} of {}x{}", q.pixel.x, q.pixel.y, q.size.x, q.size.y);
    commands_.reset();
    commands_.emplace(device_, "number of a pixel");
    commands_->dispatch(kernels::picture_values{.values = value_,
                                                .colours = q.frame.colours,
                                                .transmittances = q.frame.transmittances,
                                                .tileRanges = q.frame.tileRanges,
                                                .groundTruth = q.groundTruth,
                                                .size = q.size,
                                                .first = q.pixel.y * q.size.x + q.pixel.x,
                                                .pixelCount = 1,
                                                .nothing = std::numeric_limits<float>::quiet_NaN(),
                                                .kShow = q.show},
                        1);
    commands_->copy(value_, told_);
    commands_->end();
    ticket_ = device_.submit(*commands_);
    pixel_ = q.pixel;
    asked_ = true;
}

void PixelNumberReader::finish() {
    if (asked_) device_.wait(ticket_);
}

std::optional<PixelNumber> PixelNumberReader::answer() {
    if (!asked_ || !device_.done(ticket_)) return std::nullopt;
    asked_ = false;
    const float value = *told_.mapped<float>();
    return PixelNumber{pixel_, std::isfinite(value) ? std::optional(value) : std::nullopt};
}

}  // namespace splat
