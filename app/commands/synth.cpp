#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "commands/commands.h"
#include "commands/parse.h"
#include "core/names.h"
#include "scene/synth/synth.h"

namespace splat::app {

namespace {

struct Options {
    std::string out;
    std::string size = "320x240";
    SynthOptions synth;
};

std::string sceneHelp() {
    std::string text = "procedural scene:";
    for (const SynthScene& scene : kSynthScenes) text += fmt::format("\n{}: {}", scene.name, scene.description);
    return text;
}

Exit runSynth(Context& context, Options options) {
    const ImageSize size = parseSize(options.size, "--size");
    options.synth.width = size.width;
    options.synth.height = size.height;
    Progress progress(std::cerr, context.progressStyle(), "views", static_cast<uint64_t>(options.synth.views));
    writeSynthDataset(options.out, options.synth, [&](size_t done, size_t) { progress.update(done); });
    progress.finish();
    fmt::print("{}: {} views of {}x{}\n", printable(options.out), options.synth.views, size.width, size.height);
    return Exit::done;
}

}  // namespace

Run addSynth(CLI::App& command) {
    const auto options = std::make_shared<Options>();
    command.add_option("OUT", options->out, "folder to write: images/, sparse/0 (COLMAP) and transforms.json; new or empty")
        ->required()
        ->type_name("");
    command.add_option("--scene", options->synth.scene, sceneHelp())->type_name("NAME");
    command.add_option("--views", options->synth.views, "number of views")->type_name("N");
    command.add_option("--size", options->size, "of each picture, pixels")->type_name("WxH");
    command.add_option("--seed", options->synth.seed, "of the scene and its cameras")->type_name("S");
    return [options](Context& context) { return runSynth(context, *options); };
}

}  // namespace splat::app
