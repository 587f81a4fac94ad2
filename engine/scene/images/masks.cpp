#include <splatwright/scene/images/masks.h>

namespace splat {

namespace fs = std::filesystem;

Image8 readMask(const fs::path& path, const ImageHeader& header) {
    const auto channels = static_cast<size_t>(header.channels);
    Image8 colours(header.size.width, header.size.height, 1);
    // Alpha is kept separately until a transparent pixel shows that it is the mask.
    Image8 alphas = channels == 4 ? colours : Image8();
    bool transparent = false;
    readImageRows(path, header, [&](int y, std::span<const uint8_t> row) {
        for (int x = 0; x < header.size.width; ++x) {
            const uint8_t* pixel = &row[static_cast<size_t>(x) * channels];
            colours.at(x, y)[0] = pixel[0];
            if (channels < 4) continue;
            alphas.at(x, y)[0] = pixel[3];
            transparent = transparent || pixel[3] < 255;
        }
    });
    return transparent ? std::move(alphas) : std::move(colours);
}

}  // namespace splat
