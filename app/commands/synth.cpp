#include <iostream>
#include <memory>

#include <splatwright/core/names.h>
#include <splatwright/scene/synth/synth.h>
#include "commands/command.h"
#include "commands/interrupt.h"
#include "commands/options.h"
#include "commands/standard_output.h"

namespace splat::app {

namespace {

struct Options {
    std::string out;
    ImageSize size{320, 240};
    SynthOptions synth;
};

Exit runSynth(Context& context, Options options) {
    options.synth.width = options.size.width;
    options.synth.height = options.size.height;
    const Interrupt interrupt;
    Progress progress(std::cerr, context.progressStyle(), "views", static_cast<uint64_t>(options.synth.views));
    writeSynthDataset(options.out, options.synth, [&](size_t done, size_t) {
        interrupt.check();
        progress.update(done);
    });
    progress.finish();
    output("{}: {} views of {}x{}\n", printable(options.out), options.synth.views, options.size.width, options.size.height);
    return Exit::done;
}

Run addSynth(CLI::App& command) {
    const auto options = std::make_shared<Options>();
    command.add_option("OUT", options->out, "Folder to write: images/, sparse/0 (COLMAP) and transforms.json; new or empty")
        ->required()
        ->type_name("");
    std::string scenes = "Procedural scene:", cameras = "Cameras:";
    for (const SynthScene& scene : kSynthScenes) scenes += fmt::format("\n{}: {}", scene.name, scene.description);
    for (const SynthLens& lens : kSynthLenses) cameras += fmt::format("\n{}: {}", lens.name, lens.description);
    command.add_option("--scene", options->synth.scene, scenes)->type_name("NAME");
    command.add_option("--camera", options->synth.camera, cameras)->type_name("NAME");
    addNumber(command, "--views", options->synth.views, {1, kMaxSynthViews}, "Number of views");
    addSize(command, "--size", options->size, "Image size, pixels");
    addNumber(command, "--region-share", options->synth.regionShare, {0, 100},
              "Share of training views that see the scene's region, percent");
    addReal(command, "--colour-changes", options->synth.colourChanges, {0, 1},
            "Strength of colour changes from image to image; every 8th image keeps its colours");
    addNumber(command, "--transients", options->synth.transients, {0, 100},
              "Share of images that show objects of their own, percent; every 8th image shows none");
    command.add_flag("--depths", options->synth.depths,
                     "Also write depths/: 16-bit inverse depths, scale and shift unknown per image; and tracks");
    addNumber(command, "--seed", options->synth.seed, {0, std::numeric_limits<uint64_t>::max()}, "Random seed of scene and cameras")
        ->type_name("S");
    return [options](Context& context) { return runSynth(context, *options); };
}

}  // namespace

extern const Command kSynthCommand{
    .name = "synth",
    .summary = "Write a multi-view dataset of a procedural scene",
    .add = addSynth,
};

}  // namespace splat::app
