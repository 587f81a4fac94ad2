#include <splatwright/scene/datasets/picture.h>

#include <algorithm>

#include <splatwright/core/names.h>
#include <splatwright/scene/images/image_file.h>
#include <splatwright/scene/images/orientation.h>

namespace splat {

Camera cameraBefore(int width, int height) {
    constexpr double kDistance = 2;  // the larger side is 2 units long
    const double focal = std::max(width, height);
    Camera camera{.width = width, .height = height, .fx = focal, .fy = focal, .cx = 0.5 * width, .cy = 0.5 * height};
    camera.translation = {0, 0, kDistance};
    return camera;
}

Camera pixelCamera(int width, int height) { return {.width = width, .height = height, .fx = 1, .fy = 1, .cx = 0, .cy = 0}; }

Dataset pictureDataset(const std::filesystem::path& path) {
    const ImageHeader header = readImageHeader(path);
    const Orientation orientation = readOrientation(path);
    const ImageSize size = shownSize(header.size, orientation);
    const std::string file = path.filename().string();
    Dataset dataset{.path = path, .format = kPictureFormat};
    dataset.views.push_back({.file = file,
                             .name = escapedName(file),
                             .image = path,
                             .camera = pixelCamera(size.width, size.height),
                             .distortion = {},
                             .orientation = orientation});
    dataset.ownUses.push_back({.train = true, .test = true});
    return dataset;
}

}  // namespace splat
