#include <iostream>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include <splatwright/core/names.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/scene/datasets/frame.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/images/image_file.h>
#include <splatwright/train/evaluate/evaluate.h>
#include <splatwright/train/evaluate/lpips.h>
#include <splatwright/train/session/report.h>
#include "commands/command.h"
#include "commands/dataset_options.h"
#include "commands/options.h"
#include "commands/standard_output.h"

namespace splat::app {

namespace {

struct Options {
    std::string splats, data;
    DatasetOptions reading;
    Split split = Split::test;
    int testEvery = 8, downscale = 1;
    uint32_t megapixels = kDefaultMegapixels;
    glm::vec3 background{0};
    bool antialiased = false;
    std::optional<std::string> lpips;  // file with the network's weights
    bool json = false;
};

void printRow(std::string_view name, size_t width, const ViewScore& score) {
    const std::string lpips = score.lpips ? fmt::format("  {:>7.4f}", *score.lpips) : "";
    output("{:<{}}  {:>8.3f}  {:>7.4f}{}\n", name, width, score.psnr, score.ssim, lpips);
}

void printTable(const Evaluation& evaluation) {
    constexpr size_t kLongestName = 80;
    std::vector<std::string> names;
    size_t width = 4;
    for (const ViewScore& view : evaluation.views) width = std::max(width, names.emplace_back(shortened(view.name, kLongestName)).size());
    output("{:<{}}  {:>8}  {:>7}{}\n", "view", width, "PSNR", "SSIM", evaluation.lpips ? fmt::format("  {:>7}", "LPIPS") : "");
    for (size_t i = 0; const ViewScore& view : evaluation.views) printRow(names[i++], width, view);
    printRow("mean", width, {.psnr = evaluation.psnr, .ssim = evaluation.ssim, .lpips = evaluation.lpips});
}

std::vector<Photograph> loadViews(Context& context, const Options& options, const Dataset& dataset) {
    const auto views = viewsOfSplit(dataset, options.split, options.testEvery);
    if (views.empty())
        throw InputError("{}: split '{}' holds no views, expected at least 1 (--split all takes every view)", options.data,
                         nameOf(options.split));
    Progress progress(std::cerr, context.progressStyle(), "photographs", views.size());
    const PhotographOptions wanted{.downscale = options.downscale, .background = options.background, .megapixels = options.megapixels};
    auto photographs = loadPhotographs(dataset, views, wanted, [&](size_t done, size_t) { progress.update(done); });
    progress.finish();
    return photographs;
}

Exit runEval(Context& context, const Options& options) {
    Gaussians gaussians = readSplats(options.splats);
    if (options.antialiased) gaussians.antialiased = true;
    std::optional<LpipsWeights> weights;
    if (options.lpips) weights = readLpipsWeights(*options.lpips);
    const Dataset dataset = loadDataset(options.data, options.reading);
    tellChoices(dataset, options.testEvery);
    gpu::Device& device = context.device();
    std::vector<Photograph> photographs = loadViews(context, options, dataset);
    // Compare in the training frame, so that the near plane is the same.
    const TrainingFrame frame = trainingFrame(dataset.views);
    for (Photograph& photograph : photographs) photograph.camera = toFrame(frame, photograph.camera);
    gaussians = toFrame(frame, std::move(gaussians));

    GaussianModel model(device, static_cast<uint32_t>(gaussians.count()));
    model.upload(device, gaussians);
    Renderer renderer(device, context.sort());
    std::optional<Lpips> lpips;
    if (weights) lpips.emplace(device, *weights);
    Progress progress(std::cerr, context.progressStyle(), "evaluating", photographs.size());
    const Evaluation evaluation = evaluate(
        renderer, {model, gaussians.shDegree, options.background}, photographs,
        [&](size_t view, const Image8&) { progress.update(view + 1); }, lpips ? &*lpips : nullptr);
    progress.finish();
    if (options.json) {
        output("{}\n", jsonText(toJson(evaluation), 2));
    } else {
        printTable(evaluation);
    }
    return Exit::done;
}

Run addEval(CLI::App& command) {
    const auto o = std::make_shared<Options>();
    command.add_option("SPLATS", o->splats, fmt::format("Splats to evaluate ({})", splatFormatNames()))->required()->type_name("");
    command.add_option("DATA", o->data, "Dataset with the ground truth")->required()->type_name("");
    addSplit(command, o->split, "Views to evaluate: test, train or all");
    addTestEvery(command, o->testEvery, "Every N-th view (sorted by name) is a test view; 0: none");
    addDatasetOptions(command, o->reading);
    addDownscale(command, o->downscale, "Image downscale factor");
    addNumber(command, "--max-megapixels", o->megapixels, {.min = 1, .max = 4096}, "Maximum size of an image file, million pixels");
    addColour(command, "--background", o->background, "Background colour of renders and transparent images");
    command.add_flag("--antialiased", o->antialiased, "Use Mip-Splatting's 2D filter even if the file does not request it");
    command.add_option("--lpips", o->lpips, "Also compute LPIPS, with the network's weights from this file")->type_name("WEIGHTS");
    command.add_flag("--json", o->json, "Print JSON: psnr, ssim, lpips with --lpips, views");
    return [o](Context& context) { return runEval(context, *o); };
}

}  // namespace

extern const Command kEvalCommand{
    .name = "eval",
    .summary = "Evaluate splats on a dataset: PSNR, SSIM and LPIPS",
    .add = addEval,
};

}  // namespace splat::app
