#include <memory>
#include <utility>

#include <fmt/ranges.h>

#include <splatwright/gpu/capture.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/view/render_modes.h>
#include "commands/command.h"
#include "commands/dataset_options.h"
#include "commands/measure_frames.h"
#include "commands/options.h"
#include "commands/show_viewer.h"

namespace splat::app {

namespace {

struct Options {
    MeasureOptions measure;  ///< options that both modes share
    DatasetOptions reading;
    std::string script, shaders;
    float scale = 0;
    float autosave = ViewerOptions().autosave;
    WebAddress web;
    bool serve = false, headless = false, noSync = false, train = false, renderdoc = false;
    bool pictureIsGiven = false, sizeIsGiven = false;  ///< else they are as the viewer remembers them
    bool autosaveIsGiven = false;                      ///< else scripts do without
};

void setUp(Workspace& work, const MeasureOptions& options, bool pictureIsGiven) {
    if (pictureIsGiven) work.showMode(renderModeByName(options.picture).name);
    work.picture.background = options.background;
    work.navigator.setUp(options.up);
    work.detailBudget = options.budget;
    for (const std::string& path : options.splats) work.open(path);
}

void checkServing(const Options& options, bool addressIsGiven) {
    if (addressIsGiven && !options.serve) throw InputError("--serve-address: expected --serve PORT with it");
    if (options.serve && !options.script.empty()) throw InputError("--serve: found --script too, expected one of the two");
}

/// Without a window, only a script can control the viewer.
Exit runViewer(Context& context, const Options& options) {
    if (options.renderdoc) gpu::Capture::prepare();
    const ImageSize size = options.measure.size;
    ViewerStart viewer{.options = {.size = {static_cast<uint32_t>(size.width), static_cast<uint32_t>(size.height)},
                                   .verticalSync = !options.noSync,
                                   .scale = options.scale,
                                   .sizeIsGiven = options.sizeIsGiven,
                                   .remembers = options.script.empty(),
                                   .autosave = options.script.empty() || options.autosaveIsGiven ? options.autosave : 0,
                                   .shaders = options.shaders},
                       .script = {},
                       .scriptName = options.script};
    if (!options.script.empty()) viewer.script = readScript(options.script);
    ViewerPlace place{.window = !options.headless && !options.serve, .web = {}};
    if (options.serve) place.web = options.web;
    return showViewer(context, std::move(viewer), place, [&](Workspace& work) {
        work.reading = options.reading;
        setUp(work, options.measure, options.pictureIsGiven);
        if (!options.train) return;
        if (!work.training) throw InputError("--train: expected a dataset's folder or a picture to train on");
        work.training->live().start();
    });
}

Run addView(CLI::App& command) {
    const auto o = std::make_shared<Options>();
    MeasureOptions& m = o->measure;
    command
        .add_option("SPLATS", m.splats,
                    fmt::format("Splat files to view together ({}), a dataset folder to train on, a picture to fit, or a project",
                                splatFormatNames()))
        ->type_name("");
    addDatasetOptions(command, o->reading);
    command.add_flag("--train", o->train, "Start training on the dataset at once");
    command.add_option("--render-mode,--picture", m.picture, fmt::format("Render mode: {}", fmt::join(renderModeNames(), ", ")))
        ->type_name("NAME");
    addColour(command, "--background", m.background, "Background colour");
    addDirection(command, "--up", m.up, "Up direction of the world");
    addSize(command, "--size", m.size, "Window size, pixels; of --serve: whatever the page's is");
    addReal(command, "--ui-scale", o->scale, {0.5F, 4.0F}, "Scale of panels and text [the display's]");
    addReal(command, "--autosave", o->autosave, {0, 1e6F}, "Seconds between autosaves; 0: none, as in scripts by default");
    command.add_flag("--no-vsync", o->noSync, "Disable vertical sync");
    command.add_flag("--renderdoc", o->renderdoc, "Load RenderDoc's layer, so that F12 captures a frame");
    command.add_option("--script", o->script, "Run a script, one action per line (app/viewer/script/README.md), then exit")
        ->type_name("FILE");
    command.add_option("--shaders", o->shaders, "Folder of shader sources that R reloads [those of the build]")
        ->type_name("DIR")
        ->default_str("");
    command.add_flag("--headless", o->headless, "No window: run the script, or else draw frames on an orbit and print their timings");
    addNumber(command, "--serve", o->web.port, {0, 65535}, "No window: show the viewer in a browser, at this port; 0: any that is free")
        ->default_str("");
    addParsed(command, "--serve-address", o->web.address, parseIpv4, "Address that --serve listens at; 0.0.0.0: all of this machine's")
        ->type_name("ADDRESS")
        ->default_str(o->web.address);
    addNumber(command, "--frames", m.frames, {1, 1'000'000}, "Headless without a script: number of frames");
    addNumber(command, "--budget", m.budget, {0, 16'000'000}, "Splats of a streamed model in a picture; 0: by the device's memory");
    addNumber(command, "--popping", m.popping, {0, 100'000},
              "Headless without a script: report FLIP of so many pairs of consecutive frames, 0.05 degrees apart");
    command.add_flag("--json", m.json, "Headless without a script: print JSON: frames, median_ms, stages and more");
    return [o, &command](Context& context) {
        o->pictureIsGiven = command.count("--render-mode") > 0;
        o->sizeIsGiven = command.count("--size") > 0;
        o->serve = command.count("--serve") > 0;
        checkServing(*o, command.count("--serve-address") > 0);
        o->autosaveIsGiven = command.count("--autosave") > 0;
        if (!o->headless || !o->script.empty() || o->serve) return runViewer(context, *o);
        if (o->measure.splats.empty()) throw InputError("view --headless: there are no splats to draw, expected at least one file");
        return measureFrames(context, o->measure);
    };
}

}  // namespace

extern const Command kViewCommand{
    .name = "view",
    .summary = "View, edit and train splats in a window, or measure frames without one",
    .captures = true,
    .add = addView,
};

}  // namespace splat::app
