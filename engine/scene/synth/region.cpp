#include <splatwright/scene/synth/region.h>

#include <algorithm>
#include <iterator>

#include <splatwright/core/error.h>
#include <splatwright/core/rng.h>
#include <splatwright/scene/synth/orbit.h>
#include <splatwright/scene/synth/points.h>

namespace splat::synth {

namespace {

constexpr size_t kTestEvery = 8;

}  // namespace

bool isTestView(size_t view) { return view % kTestEvery == 0; }

std::vector<size_t> regionViews(size_t views, int percent) {
    const auto seeing = [&](size_t training) { return (training * static_cast<size_t>(percent) + 50) / 100; };
    std::vector<size_t> indices;
    for (size_t view = 0; view < views; ++view) {
        const size_t training = view - view / kTestEvery - 1;  // before this one, if it is a training view
        if (isTestView(view) ? view / kTestEvery % 2 == 1 : seeing(training + 1) > seeing(training)) indices.push_back(view);
    }
    return indices;
}

void addRegion(const Scene& scene, int percent, uint64_t seed, std::vector<Camera>& cameras, std::vector<Point>& points) {
    SPLAT_CHECK(scene.region, "the scene has no region");
    const auto indices = regionViews(cameras.size(), percent);
    if (indices.empty()) return;
    Rng rng(seed);
    const auto orbit = [&](int views) { return orbitCameras(scene.region->orbit, views, cameras[0].width, cameras[0].height, rng.next()); };
    const auto training = orbit(scene.region->viewpoints), test = orbit(static_cast<int>(std::ranges::count_if(indices, isTestView)));
    Scene only = scene;
    only.pointCount = scene.region->pointCount;
    std::ranges::copy(surfacePoints(only, training, rng.next()), std::back_inserter(points));
    size_t trained = 0, tested = 0;
    for (const size_t view : indices) cameras[view] = isTestView(view) ? test[tested++] : training[trained++ % training.size()];
}

}  // namespace splat::synth
