#include <algorithm>
#include <memory>

#include <fmt/ranges.h>

#include "commands/commands.h"
#include "commands/dataset_options.h"
#include "commands/measure_frames.h"
#include "commands/options.h"
#include "commands/show_viewer.h"
#include "gpu/capture.h"
#include "scene/formats/formats.h"
#include "view/pictures.h"

namespace splat::app {

namespace {

struct Options {
    MeasureOptions measure;  ///< what they share besides
    DatasetOptions reading;
    std::string script, shaders;
    float scale = 0;
    bool headless = false, noSync = false, train = false, renderdoc = false;
};

ViewerOptions viewerOptions(const Options& options) {
    const ImageSize size = options.measure.size;
    ViewerOptions viewer{.size = {static_cast<uint32_t>(size.width), static_cast<uint32_t>(size.height)},
                         .verticalSync = !options.noSync,
                         .scale = options.scale,
                         .keepsRecent = options.script.empty(),
                         .script = {},
                         .scriptName = options.script,
                         .shaders = options.shaders};
    if (!options.script.empty()) viewer.script = readScript(options.script);
    return viewer;
}

void setUp(Workspace& work, const MeasureOptions& options) {
    work.picture.picture = pictureByName(options.picture).name;
    work.picture.background = options.background;
    work.navigator.setUp(options.up);
    for (const std::string& path : options.splats) work.open(path);
}

/// Without a window only a script can say what to do.
Exit runViewer(Context& context, const Options& options) {
    if (options.renderdoc) gpu::Capture::prepare();
    return showViewer(context, viewerOptions(options), !options.headless, [&](Workspace& work) {
        work.reading = options.reading;
        setUp(work, options.measure);
        if (!options.train) return;
        if (!work.training) throw InputError("--train: expected a dataset's folder to train on");
        work.training->live().start();
    });
}

Exit runView(Context& context, const Options& options) {
    if (!options.headless || !options.script.empty()) return runViewer(context, options);
    if (options.measure.splats.empty()) throw InputError("view --headless: there are no splats to draw, expected at least one file");
    return measureFrames(context, options.measure);
}

}  // namespace

Run addView(CLI::App& command) {
    const auto o = std::make_shared<Options>();
    MeasureOptions& m = o->measure;
    command
        .add_option(
            "SPLATS", m.splats,
            fmt::format("splats to view, together where there are several ({}), or a dataset's folder to train on", splatFormatNames()))
        ->type_name("");
    addDatasetOptions(command, o->reading);
    command.add_flag("--train", o->train, "start to train on the dataset at once");
    command.add_option("--picture", m.picture, fmt::format("what is drawn: {}", fmt::join(pictureNames(), ", ")))->type_name("NAME");
    addColour(command, "--background", m.background, "colour behind the splats");
    addDirection(command, "--up", m.up, "the direction that is up");
    addSize(command, "--size", m.size, "of the window, pixels");
    addReal(command, "--ui-scale", o->scale, {0.5F, 4.0F}, "size of panels and text [the display's]");
    command.add_flag("--no-vsync", o->noSync, "show pictures as they come, not in the monitor's rhythm");
    command.add_flag("--renderdoc", o->renderdoc, "load RenderDoc's layer, so that F12 captures");
    command.add_option("--script", o->script, "do what a file says, a line an action (app/viewer/README.md), and leave at its end")
        ->type_name("FILE");
    command.add_option("--shaders", o->shaders, "folder of edited shaders that R compiles [those of the build]")
        ->type_name("DIR")
        ->default_str("");
    command.add_flag("--headless", o->headless,
                     "no window: follow the script, or else draw pictures on a circle around the splats and say how long they take");
    addNumber(command, "--frames", m.frames, {1, 1'000'000}, "headless without a script: so many on the circle");
    command.add_flag("--json", m.json, "headless without a script: print JSON: frames, median_ms, stages and more");
    return [o](Context& context) { return runView(context, *o); };
}

}  // namespace splat::app
