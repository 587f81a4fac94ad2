#include <algorithm>

#include <splatwright/api/convert.h>
#include <splatwright/api/translate.h>
#include <splatwright/core/error.h>
#include <splatwright/scene/photographs/undistort.h>

namespace splatwright {

Dataset readDataset(const std::filesystem::path& path, const DatasetOptions& options, int testEvery) {
    return translated([&] {
        if (testEvery < 0) throw splat::InputError("readDataset: testEvery is {}, expected 0 or more", testEvery);
        const splat::Dataset read = splat::loadDataset(path, engineReading(options));
        Dataset dataset{.format = std::string(read.format), .views = {}, .points = {}};
        for (const splat::View& view : read.views) {
            const splat::Camera camera = splat::undistortedCamera(view.camera, view.distortion, read.undistort);
            dataset.views.push_back({view.name, view.image, publicCamera(camera)});
        }
        for (const size_t i : splat::viewsOfSplit(read, splat::Split::train, testEvery)) dataset.views[i].trains = true;
        for (const size_t i : splat::viewsOfSplit(read, splat::Split::test, testEvery)) dataset.views[i].tests = true;
        for (const splat::Point& point : read.points)
            dataset.points.push_back({{point.position.x, point.position.y, point.position.z}, point.colour});
        return dataset;
    });
}

}  // namespace splatwright
