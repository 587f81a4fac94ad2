#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/scene/datasets/picture.h>
#include <splatwright/scene/photographs/photographs.h>
#include "memory_file.h"

/// A photograph of any format as training loads it: turned as its EXIF says, with distortion and without. The size that it claims is checked against
/// its camera.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    return splat::fuzz::readInput(data, size, [](const std::filesystem::path& path) {
        splat::loadPhotographs(splat::pictureDataset(path), {0}, {.masks = false, .megapixels = 1});
        splat::Dataset dataset;
        for (const double k1 : {0.0, 0.1}) {
            splat::View view{.name = "a", .image = path, .camera = {}, .distortion = {}};
            if (k1 != 0) view.distortion = {.model = splat::findLensModel("SIMPLE_RADIAL"), .parameters = {k1}};
            view.camera = {.width = 40, .height = 30, .fx = 40, .fy = 40, .cx = 20, .cy = 15};
            dataset.views.push_back(view);
        }
        splat::loadPhotographs(dataset, {0}, {.downscale = 2, .masks = false});
        splat::loadPhotographs(dataset, {1}, {.downscale = 2, .keepAlpha = true, .masks = false});
    });
}
