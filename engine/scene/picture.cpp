#include <splatwright/scene/picture.h>

#include <splatwright/core/names.h>
#include <splatwright/scene/image_file.h>

namespace splat {

Dataset pictureDataset(const std::filesystem::path& path) {
    const ImageHeader header = readImageHeader(path);
    const std::string file = path.filename().string();
    Camera camera;
    camera.width = header.size.width;
    camera.height = header.size.height;
    camera.fx = camera.fy = 1;
    camera.cx = camera.cy = 0;
    Dataset dataset{.path = path, .format = kPictureFormat};
    dataset.views.push_back({.file = file, .name = escapedName(file), .image = path, .camera = camera, .distortion = {}});
    dataset.ownUses.push_back({.train = true, .test = true});
    return dataset;
}

}  // namespace splat
