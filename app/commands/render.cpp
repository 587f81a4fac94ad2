#include <iostream>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>

#include "commands/commands.h"
#include "commands/dataset_options.h"
#include "commands/orbit.h"
#include "commands/output_folder.h"
#include "commands/parse.h"
#include "core/names.h"
#include "gpu/capture.h"
#include "render/renderer.h"
#include "scene/formats/formats.h"
#include "scene/frame.h"
#include "scene/undistort.h"
#include "train/metrics.h"
#include "viewer/camera_file.h"

namespace splat::app {

namespace {

constexpr const char* kOrbitSize = "800x600";

struct Options {
    std::string splats, data, camera, out, size;
    DatasetOptions reading;
    size_t orbit = 0;
    std::string split = "test";
    int testEvery = 8;
    std::string background = "0,0,0";
    std::string up = "0,-1,0";
    bool antialiased = false;
};

/// What is rendered: splats and views in one frame.
struct Scene {
    Gaussians gaussians;
    std::vector<NamedView> views;
};

/// Views of the photographs without their distortion, in the frame that training works in: the near plane is where it was then.
Scene sceneOfDataset(const Options& options, Gaussians gaussians) {
    const Dataset dataset = loadDataset(options.data, options.reading);
    tellChoices(dataset, options.testEvery);
    const TrainingFrame frame = trainingFrame(dataset.views);
    Scene scene{toFrame(frame, std::move(gaussians)), {}};
    for (const size_t i : viewsOfSplit(dataset, parseSplit(options.split, "--split"), options.testEvery)) {
        const View& view = dataset.views[i];
        scene.views.push_back({std::filesystem::path(view.name).replace_extension().string(),
                               toFrame(frame, undistortedCamera(view.camera, view.distortion))});
    }
    if (scene.views.empty())
        throw InputError("{}: split '{}' holds no views, expected at least 1 (--split all takes every view)", options.data, options.split);
    return scene;
}

Scene readScene(const Options& options) {
    const int sources = (options.data.empty() ? 0 : 1) + (options.camera.empty() ? 0 : 1) + (options.orbit == 0 ? 0 : 1);
    if (sources != 1) throw InputError("render: found {} of --data, --camera and --orbit, expected exactly one", sources);
    Gaussians gaussians = readSplats(options.splats);
    if (options.antialiased) gaussians.antialiased = true;
    Scene scene;
    if (!options.data.empty()) {
        scene = sceneOfDataset(options, std::move(gaussians));
    } else if (!options.camera.empty()) {
        scene = {std::move(gaussians), readCameraFile(options.camera)};
    } else {
        const ImageSize size = parseSize(options.size.empty() ? kOrbitSize : options.size, "--size");
        auto views = orbitViews(extentOf(gaussians), options.orbit, size, parseTriple(options.up, "--up"));
        return {std::move(gaussians), std::move(views)};
    }
    if (options.size.empty()) return scene;
    const ImageSize size = parseSize(options.size, "--size");
    for (NamedView& view : scene.views) view.camera = resized(view.camera, size.width, size.height);
    return scene;
}

Exit runRender(Context& context, const Options& options) {
    const glm::vec3 background = parseColour(options.background, "--background");
    const Scene scene = readScene(options);
    const OutputFolder out(options.out);
    gpu::Device& device = context.device();
    GaussianModel model(device, static_cast<uint32_t>(scene.gaussians.count()));
    model.upload(device, scene.gaussians);
    Renderer renderer(device, context.sort());
    std::optional<gpu::Capture> capture;
    if (context.options().capture > 0) capture.emplace(out / fmt::format("frame_{}", context.options().capture));

    Progress progress(std::cerr, context.progressStyle(), "rendering", scene.views.size());
    OutputNames names;
    for (size_t i = 0; i < scene.views.size(); ++i) {
        const NamedView& view = scene.views[i];
        const bool captured = capture && context.options().capture == i + 1;
        if (captured) capture->begin("frame " + view.name);
        const ImageF picture = renderer.render(model, view.camera, background, scene.gaussians.shDegree);
        if (captured) fmt::print("{}\n", printable(capture->end().string()));
        writePng(out / names.take(view.name, ".png"), quantised(picture));
        progress.update(i + 1);
    }
    progress.finish();
    fmt::print("{}: {} pictures\n", printable(options.out), scene.views.size());
    return Exit::done;
}

}  // namespace

Run addRender(CLI::App& command) {
    const auto o = std::make_shared<Options>();
    command.add_option("SPLATS", o->splats, fmt::format("splats to render ({})", splatFormatNames()))->required()->type_name("");
    command.add_option("-o,--out", o->out, "folder for the PNG files, named after the views")->required()->type_name("DIR");
    command.add_option("--data", o->data, "the views of this dataset")->group("Views (one of these)")->type_name("DATA");
    command.add_option("--camera", o->camera, kCameraFileHelp)->group("Views (one of these)")->type_name("FILE.json");
    command.add_option("--orbit", o->orbit, "so many views on a circle around the splats' weighted centre")
        ->group("Views (one of these)")
        ->type_name("N")
        ->default_str("");
    addDatasetOptions(command, o->reading);
    command.add_option("--split", o->split, "with --data: test, train or all")->type_name("NAME");
    command.add_option("--test-every", o->testEvery, "with --data: every so many views by name are test views")
        ->check(CLI::NonNegativeNumber)
        ->type_name("N");
    command.add_option("--up", o->up, "with --orbit: the direction that is up")->type_name("X,Y,Z");
    command.add_option("--size", o->size, fmt::format("pixels [the views' own, for --orbit {}]", kOrbitSize))->type_name("WxH");
    command.add_option("--background", o->background, "colour behind the splats, each 0..1")->type_name("R,G,B");
    command.add_flag("--antialiased", o->antialiased, "use Mip-Splatting's 2D filter also where the file does not say that training did");
    return [o](Context& context) { return runRender(context, *o); };
}

}  // namespace splat::app
