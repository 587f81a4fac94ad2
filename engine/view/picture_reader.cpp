#include <splatwright/view/picture_reader.h>

#include <splatwright/view/shown_pixels.h>
#include "kernels/picture_values.h"

namespace splat {

Image8 PictureReader::picture(const WorldView& view) const {
    Image8 image(static_cast<int>(view.size().x), static_cast<int>(view.size().y), 3);
    const auto words = device_.download<uint32_t>(view.picture(), image.pixels.size() / 3);
    for (size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = static_cast<uint8_t>(words[i / 3] >> (8 * (i % 3)));
    return image;
}

ImageF PictureReader::values(const WorldView& view) {
    const RenderMode& mode = view.mode();
    const glm::uvec2 size = view.size();
    ImageF image(static_cast<int>(size.x), static_cast<int>(size.y), mode.isNumber() ? 1 : 3);
    const uint64_t bytes = image.pixels.size() * sizeof(float);
    if (bytes > values_.bytes()) values_ = device_.buffer<float>("picture values", image.pixels.size());
    device_.run("picture values", [&](gpu::Commands& c) {
        const gpu::BufferSlice groundTruth = view.groundTruth ? view.groundTruth->pixels : view.picture();
        const kernels::picture_values kernel{.values = values_, .pixelCount = size.x * size.y};
        c.dispatch(withShown(kernel, view.frame(), groundTruth, size, mode.show), uint64_t{size.x} * size.y);
    });
    device_.download(values_.slice(0, bytes), std::as_writable_bytes(std::span(image.pixels)));
    return image;
}

}  // namespace splat
