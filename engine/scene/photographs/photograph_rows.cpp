#include <splatwright/scene/photographs/photograph_rows.h>
#include <splatwright/scene/photographs/photographs.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace splat {
namespace {

uint8_t roundedByte(float value) { return static_cast<uint8_t>(std::clamp(std::floor(value + 0.5f), 0.0f, 255.0f)); }

}  // namespace

Channels::Channels(Stored stored, const Image8& mask, bool keepAlpha, glm::vec3 background)
    : stored_(static_cast<size_t>(stored.channels)),
      mask_(mask),
      covers_(!mask.pixels.empty() || stored.blank ? Coverage::mask
              : keepAlpha && stored.channels == 4  ? Coverage::alpha
                                                   : Coverage::none),
      behind_(covers_ == Coverage::alpha ? glm::vec3(0) : 255.0f * background) {}

void Channels::convert(const uint8_t* pixel, size_t index, float* out) const {
    const float alpha = stored_ == 4 ? static_cast<float>(pixel[3]) / 255 : 1.0f;
    for (int c = 0; c < 3; ++c) out[c] = alpha * static_cast<float>(pixel[c]) + (1 - alpha) * behind_[c];
    if (covers_ == Coverage::mask) out[3] = mask_.pixels.empty() ? 255.0f : static_cast<float>(mask_.pixels[index]);
    if (covers_ == Coverage::alpha) out[3] = static_cast<float>(pixel[3]);
}

PhotographRows::PhotographRows(Frame frame, Channels channels)
    : straight_(frame.straight),
      channels_(channels),
      shrinks_(frame.final.width != straight_.width || frame.final.height != straight_.height),
      photograph_{.name = std::move(frame.name), .camera = frame.final, .image = Image8(frame.final.width, frame.final.height, 3)},
      row_(static_cast<size_t>(straight_.width) * static_cast<size_t>(channels.count())),
      filter_({straight_.width, straight_.height}, {frame.final.width, frame.final.height}, channels.count(),
              [this](int y, std::span<const float> row) { round(y, row); }) {
    photograph_.covers = channels.covers();
    if (photograph_.covers != Coverage::none) photograph_.coverage = Image8(frame.final.width, frame.final.height, 1);
}

void PhotographRows::addStored(int y, std::span<const uint8_t> row) {
    if (channels_.plain() && !shrinks_) {
        std::ranges::copy(row, &photograph_.image.pixels[photograph_.image.index(0, y)]);
        return;
    }
    const auto width = static_cast<size_t>(straight_.width), count = static_cast<size_t>(channels_.count());
    for (size_t x = 0; x < width; ++x)
        channels_.convert(&row[x * channels_.stored()], static_cast<size_t>(y) * width + x, &row_[x * count]);
    add(y);
}

void PhotographRows::addUndistorted(const Image8& stored, const Source& source) {
    const auto count = static_cast<size_t>(channels_.count());
    const auto convert = [&](int x, int y) {
        std::array<float, 4> values{};
        channels_.convert(stored.at(x, y).data(), stored.index(x, y) / channels_.stored(), values.data());
        return values;
    };
    for (int y = 0; y < straight_.height; ++y) {
        for (int x = 0; x < straight_.width; ++x) {
            const Source::Place place = source.of(x, y);
            const Surroundings s = source.around(place);
            const auto a = convert(s.x0, s.y0), b = convert(s.x1, s.y0), c = convert(s.x0, s.y1), d = convert(s.x1, s.y1);
            float* pixel = &row_[static_cast<size_t>(x) * count];
            for (size_t i = 0; i < count; ++i) pixel[i] = s.mean(a[i], b[i], c[i], d[i]);
            if (!place.seen && count == 4) pixel[3] = 0;
        }
        add(y);
    }
}

/// The row that is converted.
void PhotographRows::add(int y) {
    if (shrinks_)
        filter_.add(row_);
    else
        round(y, row_);
}

/// Separates the filtered channels and rounds them once.
void PhotographRows::round(int y, std::span<const float> row) {
    const auto count = static_cast<size_t>(channels_.count());
    for (int x = 0; x < photograph_.image.width; ++x) {
        const float* pixel = &row[static_cast<size_t>(x) * count];
        const float opacity = photograph_.covers == Coverage::alpha ? std::max(pixel[3], 1e-6f) / 255 : 1.0f;
        const auto out = photograph_.image.at(x, y);
        for (size_t c = 0; c < 3; ++c) out[c] = roundedByte(pixel[c] / opacity);
        if (count == 4) photograph_.coverage.at(x, y)[0] = roundedByte(pixel[3]);
    }
}

}  // namespace splat
