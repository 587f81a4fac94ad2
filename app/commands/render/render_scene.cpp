#include "commands/render/render_scene.h"

#include <algorithm>

#include <splatwright/core/error.h>
#include <splatwright/core/names.h>
#include <splatwright/render/kinds/blobs.h>
#include <splatwright/scene/cameras/camera_file.h>
#include <splatwright/scene/datasets/frame.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/sog/streamed_sog.h>
#include <splatwright/scene/gaussians/orbit_views.h>
#include <splatwright/scene/photographs/undistort.h>
#include "commands/parse.h"

namespace splat::app {

namespace {

/// Undistorted views of the dataset in the training frame, so that the near plane is the same as in training.
RenderScene sceneOfDataset(const RenderSource& source, Gaussians gaussians) {
    Dataset dataset = loadDataset(source.data, source.reading);
    tellChoices(dataset, source.testEvery);
    const TrainingFrame frame = trainingFrame(dataset.views);
    RenderScene scene{.gaussians = toFrame(frame, std::move(gaussians)),
                      .views = {},
                      .background = source.background,
                      .worldUnit = frame.scale,
                      .datasetViews = viewsOfSplit(dataset, source.split, source.testEvery)};
    for (const size_t i : scene.datasetViews) {
        const View& view = dataset.views[i];
        scene.views.push_back({std::filesystem::path(view.name).replace_extension().string(),
                               toFrame(frame, undistortedCamera(view.camera, view.distortion, dataset.undistort))});
    }
    if (scene.views.empty())
        throw InputError("{}: split '{}' holds no views, expected at least 1 (--split all takes every view)", source.data,
                         nameOf(source.split));
    scene.dataset = std::move(dataset);
    return scene;
}

/// Before the flat Gaussians of a picture (scene/pictures/flat_gaussians.h), which are drawn in all modes but colour.
Camera flatCamera(glm::dvec2 size, glm::dvec2 image) {
    constexpr double kDistance = 4;  // so far that the perspective of their small depths moves nothing
    const glm::dvec2 focal = kDistance * image * std::max(size.x, size.y) / (2.0 * size), centre = 0.5 * image;
    return {.width = static_cast<int>(image.x),
            .height = static_cast<int>(image.y),
            .fx = focal.x,
            .fy = focal.y,
            .cx = centre.x,
            .cy = centre.y,
            .translation = {0, 0, kDistance}};
}

/// A fitted picture needs no camera.
RenderScene sceneOfPicture(const RenderSource& source) {
    const ModelFile file = readModel(source.splats);
    const glm::uvec2 own(file.kind.size), wanted(source.size.width, source.size.height), size = wanted.x > 0 ? wanted : own;
    const std::string name = printable(std::filesystem::path(source.splats).stem().string());
    const Camera camera = source.mode->name == "colour" ? pictureCamera(own, size) : flatCamera(own, size);
    return {file.numbers, {{name, camera}}, file.view->background, file.kind};
}

/// Data that the viewer has and this command may not have.
void checkNeeds(const RenderSource& source) {
    const RenderMode& mode = *source.mode;
    if (mode.need == RenderModeNeed::gradients)
        throw InputError("--mode {}: found splats of a file, expected a model in training, which only the viewer shows", mode.name);
    if (mode.need != RenderModeNeed::groundTruth) return;
    if (source.data.empty())
        throw InputError("--mode {}: found no --data, expected a dataset with photographs to compare the renders with", mode.name);
    if (source.size.width > 0)
        throw InputError("--mode {}: found --size, expected none: renders have the size of the photographs that they are compared with",
                         mode.name);
}

/// Views in the model's own frame: a streamed model cannot be moved into that of a training.
RenderScene sceneOfStreamed(const RenderSource& source) {
    RenderScene scene{.gaussians = {},
                      .views = {},
                      .background = source.background,
                      .streamed = source.splats,
                      .budget = source.budget,
                      .live = source.live};
    if (source.orbit > 0) {
        const Extent extent = StreamedSog(source.splats).extent();
        scene.views = orbitViews(extent, source.orbit, source.size.width > 0 ? source.size : kOrbitSize, source.up);
    } else if (!source.camera.empty()) {
        scene.views = readCameraFile(source.camera);
    } else {
        throw InputError("{}: found --data, expected --camera or --orbit for a streamed model", source.splats);
    }
    return scene;
}

RenderScene sized(RenderScene scene, const RenderSource& source) {
    if (source.size.width == 0) return scene;
    for (NamedView& view : scene.views) view.camera = resized(view.camera, source.size.width, source.size.height);
    return scene;
}

}  // namespace

RenderScene readScene(const RenderSource& source) {
    const int sources = (source.data.empty() ? 0 : 1) + (source.camera.empty() ? 0 : 1) + (source.orbit == 0 ? 0 : 1);
    const bool picture = kindOfFile(source.splats).picture;
    checkNeeds(source);
    if (picture && sources == 0) return sceneOfPicture(source);
    if (sources != 1) throw InputError("render: found {} of --data, --camera and --orbit, expected exactly one", sources);
    if (isStreamedSog(source.splats)) return sized(sceneOfStreamed(source), source);
    if (source.live > 0) throw InputError("--live: found splats that are read as a whole, expected a streamed model (.ssog)");
    Gaussians gaussians = readSplats(source.splats);
    if (source.antialiased) gaussians.antialiased = true;
    if (source.orbit > 0) {
        auto views = orbitViews(extentOf(gaussians), source.orbit, source.size.width > 0 ? source.size : kOrbitSize, source.up);
        return {std::move(gaussians), std::move(views), source.background};
    }
    return sized(source.data.empty() ? RenderScene{std::move(gaussians), readCameraFile(source.camera), source.background}
                                     : sceneOfDataset(source, std::move(gaussians)),
                 source);
}

}  // namespace splat::app
