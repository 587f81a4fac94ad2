#include <iostream>
#include <memory>
#include <optional>

#include <splatwright/core/names.h>
#include <splatwright/core/output_folder.h>
#include <splatwright/gpu/capture.h>
#include <splatwright/render/kinds/blobs.h>
#include <splatwright/render/renderer.h>
#include <splatwright/scene/cameras/camera_file.h>
#include <splatwright/scene/datasets/frame.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/gaussians/orbit_views.h>
#include <splatwright/scene/photographs/undistort.h>
#include <splatwright/train/evaluate/metrics.h>
#include "commands/command.h"
#include "commands/dataset_options.h"
#include "commands/interrupt.h"
#include "commands/options.h"
#include "commands/output_path.h"
#include "commands/standard_output.h"

namespace splat::app {

namespace {

constexpr ImageSize kOrbitSize{800, 600};
constexpr uint32_t kMostOrbitViews = 10'000;  // names have four digits and must sort as they count

struct Options {
    std::string splats, data, camera, out;
    DatasetOptions reading;
    ImageSize size;      ///< 0x0: the views' own
    uint32_t orbit = 0;  ///< views; 0: not an orbit
    Split split = Split::test;
    int testEvery = 8;
    glm::vec3 background{0}, up{0, -1, 0};
    bool antialiased = false;
};

/// Splats and views to render, in one frame.
struct Scene {
    Gaussians gaussians;
    std::vector<NamedView> views;
    glm::vec3 background;
    ModelKind kind = {};
};

/// Undistorted views of the dataset in the training frame, so that the near plane is the same as in training.
Scene sceneOfDataset(const Options& options, Gaussians gaussians) {
    const Dataset dataset = loadDataset(options.data, options.reading);
    tellChoices(dataset, options.testEvery);
    const TrainingFrame frame = trainingFrame(dataset.views);
    Scene scene{toFrame(frame, std::move(gaussians)), {}, options.background};
    for (const size_t i : viewsOfSplit(dataset, options.split, options.testEvery)) {
        const View& view = dataset.views[i];
        scene.views.push_back({std::filesystem::path(view.name).replace_extension().string(),
                               toFrame(frame, undistortedCamera(view.camera, view.distortion, dataset.undistort))});
    }
    if (scene.views.empty())
        throw InputError("{}: split '{}' holds no views, expected at least 1 (--split all takes every view)", options.data,
                         nameOf(options.split));
    return scene;
}

Scene readScene(const Options& options) {
    const int sources = (options.data.empty() ? 0 : 1) + (options.camera.empty() ? 0 : 1) + (options.orbit == 0 ? 0 : 1);
    const bool picture = kindOfFile(options.splats).picture;
    if (picture && sources == 0) {  // a fitted picture needs no camera
        const ModelFile file = readModel(options.splats);
        const glm::uvec2 own(file.kind.size), wanted(options.size.width, options.size.height);
        const std::string name = printable(std::filesystem::path(options.splats).stem().string());
        return {file.numbers, {{name, pictureCamera(own, wanted.x > 0 ? wanted : own)}}, file.view->background, file.kind};
    }
    if (picture) throw InputError("render: found --data, --camera or --orbit, expected none of them for a picture (.blobs)");
    if (sources != 1) throw InputError("render: found {} of --data, --camera and --orbit, expected exactly one", sources);
    Gaussians gaussians = readSplats(options.splats);
    if (options.antialiased) gaussians.antialiased = true;
    Scene scene{.gaussians = {}, .views = {}, .background = options.background};
    if (!options.data.empty()) {
        scene = sceneOfDataset(options, std::move(gaussians));
    } else if (!options.camera.empty()) {
        scene = {std::move(gaussians), readCameraFile(options.camera), options.background};
    } else {
        auto views = orbitViews(extentOf(gaussians), options.orbit, options.size.width > 0 ? options.size : kOrbitSize, options.up);
        return {std::move(gaussians), std::move(views), options.background};
    }
    if (options.size.width == 0) return scene;
    for (NamedView& view : scene.views) view.camera = resized(view.camera, options.size.width, options.size.height);
    return scene;
}

Exit runRender(Context& context, const Options& options) {
    const Scene scene = readScene(options);
    const uint32_t captured = context.options().capture;
    if (captured > scene.views.size())
        throw InputError("--capture: found {}, expected 1 to {}, the last view", captured, scene.views.size());
    checkOutputPath(options.out);
    const OutputFolder out(options.out);
    gpu::Device& device = context.device();
    GaussianModel model(device, static_cast<uint32_t>(scene.gaussians.count()), scene.kind);
    model.upload(device, scene.gaussians);
    Renderer renderer(device, context.sort());
    std::optional<gpu::Capture> capture;
    if (captured > 0) capture.emplace(out / fmt::format("frame_{}", captured));

    const Interrupt interrupt;
    Progress progress(std::cerr, context.progressStyle(), "rendering", scene.views.size());
    OutputNames names;
    size_t done = 0;
    for (; done < scene.views.size() && !interrupt.requested(); progress.update(++done)) {
        const NamedView& view = scene.views[done];
        const bool captures = capture && captured == done + 1;
        if (captures) capture->begin("frame " + view.name);
        const ImageF picture = renderer.render(model, view.camera, scene.background, scene.gaussians.shDegree);
        if (captures) output("{}\n", printable(capture->end().string()));
        writePng(out / names.take(view.name, ".png"), quantised(picture));
    }
    progress.finish();
    const bool all = done == scene.views.size();
    output("{}: {} pictures{}\n", printable(options.out), done, all ? "" : fmt::format(" of {}, interrupted", scene.views.size()));
    return all ? Exit::done : interrupt.exit();
}

Run addRender(CLI::App& command) {
    const auto o = std::make_shared<Options>();
    command
        .add_option("SPLATS", o->splats,
                    fmt::format("Splats to render ({}), or a fitted picture (.blobs), which needs no views", splatFormatNames()))
        ->required()
        ->type_name("");
    command.add_option("-o,--out", o->out, "Folder for PNG files, named after the views")->required()->type_name("DIR");
    command.add_option("--data", o->data, "Views of this dataset")->group("Views (one of these)")->type_name("DATA");
    command.add_option("--camera", o->camera, kCameraFileHelp)->group("Views (one of these)")->type_name("FILE.json");
    addNumber(command, "--orbit", o->orbit, {1, kMostOrbitViews}, "Number of views on a circle around the splats' weighted centre")
        ->group("Views (one of these)")
        ->default_str("");
    addDatasetOptions(command, o->reading);
    addSplit(command, o->split, "With --data: views to render (test, train or all)");
    addTestEvery(command, o->testEvery, "With --data: every N-th view (sorted by name) is a test view; 0: none");
    addDirection(command, "--up", o->up, "With --orbit: up direction");
    addSize(command, "--size", o->size,
            fmt::format("Image size, pixels [the views' own, or {}x{} for --orbit]", kOrbitSize.width, kOrbitSize.height));
    addColour(command, "--background", o->background, "Background colour");
    command.add_flag("--antialiased", o->antialiased, "Use Mip-Splatting's 2D filter even if the file does not request it");
    return [o](Context& context) { return runRender(context, *o); };
}

}  // namespace

extern const Command kRenderCommand{
    .name = "render",
    .summary = "Render splats to PNG files",
    .captures = true,
    .add = addRender,
};

}  // namespace splat::app
