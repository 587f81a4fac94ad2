#include <iostream>
#include <memory>

#include "commands/commands.h"
#include "commands/interrupt.h"
#include "commands/options.h"
#include "commands/standard_output.h"
#include "core/names.h"
#include "scene/synth/synth.h"

namespace splat::app {

namespace {

struct Options {
    std::string out;
    ImageSize size{320, 240};
    SynthOptions synth;
};

std::string sceneHelp() {
    std::string text = "procedural scene:";
    for (const SynthScene& scene : kSynthScenes) text += fmt::format("\n{}: {}", scene.name, scene.description);
    return text;
}

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

}  // namespace

Run addSynth(CLI::App& command) {
    const auto options = std::make_shared<Options>();
    command.add_option("OUT", options->out, "folder to write: images/, sparse/0 (COLMAP) and transforms.json; new or empty")
        ->required()
        ->type_name("");
    command.add_option("--scene", options->synth.scene, sceneHelp())->type_name("NAME");
    addNumber(command, "--views", options->synth.views, {1, kMaxSynthViews}, "number of views");
    addSize(command, "--size", options->size, "of each picture, pixels");
    addNumber(command, "--seed", options->synth.seed, {0, std::numeric_limits<uint64_t>::max()}, "of the scene and its cameras")
        ->type_name("S");
    return [options](Context& context) { return runSynth(context, *options); };
}

}  // namespace splat::app
