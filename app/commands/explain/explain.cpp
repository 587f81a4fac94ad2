#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include <splatwright/core/file.h>
#include <splatwright/core/near_names.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/explain/explanation_json.h>
#include <splatwright/scene/datasets/frame.h>
#include <splatwright/scene/formats/formats.h>
#include "commands/command.h"
#include "commands/dataset_options.h"
#include "commands/explain/explain_page.h"
#include "commands/options.h"
#include "commands/standard_output.h"

namespace splat::app {

namespace {

struct Options {
    std::string splats, data;
    DatasetOptions reading;
    std::optional<std::string> view;
    glm::uvec2 pixel{0};
    std::string html, json;
    PhotographOptions images{.downscale = 0};
    bool antialiased = false;
};

/// The view of that name, or the first one.
size_t viewNamed(const Dataset& dataset, const std::optional<std::string>& name) {
    if (!name) return 0;
    const auto found = std::ranges::find(dataset.views, *name, &View::name);
    if (found != dataset.views.end()) return static_cast<size_t>(found - dataset.views.begin());
    std::vector<std::string_view> names;
    for (const View& view : dataset.views) names.push_back(view.name);
    throw InputError("--view: there is no view '{}'; near it: {}", *name, fmt::join(nearestNames(std::move(names), *name), ", "));
}

void checkOutputs(const Options& options) {
    if (options.html.empty() && options.json.empty()) throw InputError("found neither --html nor --json, expected at least one of them");
    for (const std::string& path : {options.html, options.json}) {
        if (!path.empty()) checkWritable(path);
    }
}

Exit runExplain(Context& context, const Options& options) {
    checkOutputs(options);
    Gaussians gaussians = readSplats(options.splats);
    if (options.antialiased) gaussians.antialiased = true;
    const Dataset dataset = loadDataset(options.data, options.reading);
    Photograph photograph = std::move(loadPhotographs(dataset, {viewNamed(dataset, options.view)}, options.images).front());
    // In the training frame, so that the near plane is the same.
    const TrainingFrame frame = trainingFrame(dataset.views);
    photograph.camera = toFrame(frame, photograph.camera);
    gaussians = toFrame(frame, std::move(gaussians));

    gpu::Device& device = context.device();
    GaussianModel model(device, static_cast<uint32_t>(gaussians.count()));
    model.upload(device, gaussians);
    const explain::Explanation explanation = explain::explain(
        device, context.sort(), {model, gaussians.shDegree, options.images.background}, std::move(photograph), options.pixel);
    if (!options.json.empty()) writeFileAtomically(options.json, jsonText(explain::toJson(explanation), 1) + "\n");
    if (!options.html.empty()) writeFileAtomically(options.html, explainPageOf(explanation));
    output("{}: pixel {},{} in tile {},{} with {} splats\n", explanation.view, options.pixel.x, options.pixel.y,
           explanation.look.tile.tile().x, explanation.look.tile.tile().y, explanation.look.tile.splats.size());
    return Exit::done;
}

Run addExplain(CLI::App& command) {
    const auto o = std::make_shared<Options>();
    command.add_option("SPLATS", o->splats, fmt::format("Trained splats ({})", splatFormatNames()))->required()->type_name("");
    command.add_option("DATA", o->data, "Dataset that they were trained on")->required()->type_name("");
    addParsed(command, "--pixel", o->pixel, parsePixel, fmt::format("Pixel whose tile is explained (each 0 to {})", kMaxSide - 1))
        ->required()
        ->type_name("X,Y");
    command.add_option("--view", o->view, "View of the dataset that has the pixel [the first]")->type_name("NAME");
    command.add_option("--html", o->html, "Write one page with figures to this file; browsers open it without the net")->type_name("FILE");
    command.add_option("--json", o->json, "Write what the figures show to this JSON file")->type_name("FILE");
    addDatasetOptions(command, o->reading);
    addDownscale(command, o->images.downscale, "Image downscale factor")->default_str("auto");
    addNumber(command, "--max-megapixels", o->images.megapixels, {.min = 1, .max = 4096}, "Maximum size of an image file, million pixels");
    addColour(command, "--background", o->images.background, "Background colour of the render and of transparent images");
    command.add_flag("--antialiased", o->antialiased, "Use Mip-Splatting's 2D filter even if the file does not request it");
    return [o](Context& context) { return runExplain(context, *o); };
}

}  // namespace

extern const Command kExplainCommand{
    .name = "explain",
    .summary = "Show what the GPU does for one pixel: sort, blend, gradients, draws",
    .add = addExplain,
};

}  // namespace splat::app
