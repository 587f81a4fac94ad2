#include <splatwright/train/picture/demo_target.h>

#include <algorithm>

#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/densify/picture_settings.h>

namespace splat {

bool learnsRowsBelow(const TrainSettings& settings) {
    return densifierByName(settings.strategy).trainsPicture() && settings.of<PictureSettings>().demoRowBelow;
}

void moveRowsUp(Image8& image) {
    const auto row = static_cast<std::ptrdiff_t>(image.width) * image.channels;
    std::ranges::fill(std::shift_left(image.pixels.begin(), image.pixels.end(), row), image.pixels.end(), uint8_t{0});
}

}  // namespace splat
