#include <iostream>
#include <memory>
#include <optional>

#include "commands/commands.h"
#include "commands/dataset_options.h"
#include "commands/interrupt.h"
#include "commands/options.h"
#include "commands/orbit.h"
#include "commands/output_folder.h"
#include "commands/standard_output.h"
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
    for (const size_t i : viewsOfSplit(dataset, options.split, options.testEvery)) {
        const View& view = dataset.views[i];
        scene.views.push_back({std::filesystem::path(view.name).replace_extension().string(),
                               toFrame(frame, undistortedCamera(view.camera, view.distortion))});
    }
    if (scene.views.empty())
        throw InputError("{}: split '{}' holds no views, expected at least 1 (--split all takes every view)", options.data,
                         nameOf(options.split));
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
        auto views = orbitViews(extentOf(gaussians), options.orbit, options.size.width > 0 ? options.size : kOrbitSize, options.up);
        return {std::move(gaussians), std::move(views)};
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
    const OutputFolder out(options.out);
    gpu::Device& device = context.device();
    GaussianModel model(device, static_cast<uint32_t>(scene.gaussians.count()));
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
        const ImageF picture = renderer.render(model, view.camera, options.background, scene.gaussians.shDegree);
        if (captures) output("{}\n", printable(capture->end().string()));
        writePng(out / names.take(view.name, ".png"), quantised(picture));
    }
    progress.finish();
    const bool all = done == scene.views.size();
    output("{}: {} pictures{}\n", printable(options.out), done, all ? "" : fmt::format(" of {}, interrupted", scene.views.size()));
    return all ? Exit::done : interrupt.exit();
}

}  // namespace

Run addRender(CLI::App& command) {
    const auto o = std::make_shared<Options>();
    command.add_option("SPLATS", o->splats, fmt::format("splats to render ({})", splatFormatNames()))->required()->type_name("");
    command.add_option("-o,--out", o->out, "folder for the PNG files, named after the views")->required()->type_name("DIR");
    command.add_option("--data", o->data, "the views of this dataset")->group("Views (one of these)")->type_name("DATA");
    command.add_option("--camera", o->camera, kCameraFileHelp)->group("Views (one of these)")->type_name("FILE.json");
    addNumber(command, "--orbit", o->orbit, {1, kMostOrbitViews}, "so many views on a circle around the splats' weighted centre")
        ->group("Views (one of these)")
        ->default_str("");
    addDatasetOptions(command, o->reading);
    addSplit(command, o->split, "with --data: test, train or all");
    addTestEvery(command, o->testEvery, "with --data: every so many views by name are test views");
    addDirection(command, "--up", o->up, "with --orbit: the direction that is up");
    addSize(command, "--size", o->size, fmt::format("pixels [the views' own, for --orbit {}x{}]", kOrbitSize.width, kOrbitSize.height));
    addColour(command, "--background", o->background, "colour behind the splats");
    command.add_flag("--antialiased", o->antialiased, "use Mip-Splatting's 2D filter also where the file does not say that training did");
    return [o](Context& context) { return runRender(context, *o); };
}

}  // namespace splat::app
