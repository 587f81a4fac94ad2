#include "commands/bench/worst_views.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <splatwright/scene/datasets/frame.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/images/image_file.h>
#include <splatwright/train/evaluate/evaluate.h>
#include <splatwright/train/evaluate/strip.h>
#include <splatwright/train/session/run_files.h>

namespace splat::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* kWorstViewFile = "worst_view.png";
constexpr int kMostWidth = 1200;  // pixels of a row: a page has one per scene and preset

struct WorstView {
    const SuiteRun* run = nullptr;
    std::string name;
    double psnr = 0;
};

/// Nothing for a run without test views, or without any that differ from their render.
std::optional<WorstView> worstViewOf(const SuiteRun& run) {
    std::optional<WorstView> worst;
    const nlohmann::json metrics = metricsOf(run);
    for (const nlohmann::json& view : metrics.at("views")) {
        const nlohmann::json& psnr = view.at("psnr");
        if (psnr.is_number() && (!worst || psnr.get<double>() < worst->psnr)) worst = WorstView{&run, view.at("name"), psnr.get<double>()};
    }
    return worst;
}

/// The test view as the run has seen it.
Photograph photographOf(const SuiteRun& run, const Dataset& dataset, const std::string& name) {
    for (const size_t view : viewsOfSplit(dataset, Split::test, static_cast<int>(run.settings.testEvery))) {
        if (dataset.views[view].name != name) continue;
        const TrainSettings& settings = run.settings;
        const PhotographOptions options{.downscale = static_cast<int>(settings.downscale),
                                        .background = settings.background,
                                        .masks = settings.masks,
                                        .megapixels = settings.maxMegapixels};
        return loadPhotographs(dataset, {view}, options).front();
    }
    throw InputError("{}: there is no test view '{}' any more", run.options.data, name);
}

void writeStrip(Context& context, const WorstView& worst, const fs::path& file) {
    const SuiteRun& run = *worst.run;
    const Dataset dataset = loadDataset(run.options.data, run.options.reading);
    const TrainingFrame frame = trainingFrame(dataset.views);  // in which scores are computed, so that the near plane is the same
    Photograph photograph = photographOf(run, dataset, worst.name);
    photograph.camera = toFrame(frame, photograph.camera);
    const Gaussians splats = toFrame(frame, readSplats(run.file(kSplatsFile)));
    gpu::Device& device = context.device();
    GaussianModel model(device, static_cast<uint32_t>(splats.count()));
    model.upload(device, splats);
    Renderer renderer(device, context.sort());
    Image8 render;
    evaluate(renderer, {model, splats.shDegree, run.settings.background}, {&photograph, 1},
             [&](size_t, const Image8& picture) { render = picture; });
    writePng(file, captioned(fitted({stripRow(photograph.image, render)}, kMostWidth).front(), worst.name));
}

/// Nothing, with a warning, if files of the run or its dataset are gone.
std::optional<ReportPicture> pictureOf(Context& context, const WorstView& view) {
    const fs::path file = view.run->file(kWorstViewFile);
    try {
        std::error_code missing;
        const auto written = fs::last_write_time(file, missing);
        if (missing || written < fs::last_write_time(view.run->file(kMetricsFile))) writeStrip(context, view, file);
    } catch (const InputError& problem) {
        spdlog::warn("{}: the worst view is not shown: {}", view.run->name, problem.what());
        return std::nullopt;
    }
    return ReportPicture{fmt::format("{}: {:.2f} dB", view.run->name, view.psnr), file};
}

}  // namespace

std::vector<ReportPicture> worstViews(Context& context, std::span<const SuiteRun> runs, const SuiteResults& results) {
    std::map<std::pair<size_t, size_t>, WorstView> worst;
    for (const SuiteRun& run : runs) {
        if (!results.run(run.scene, run.preset, run.seed)) continue;
        const auto found = worstViewOf(run);
        if (!found) continue;
        const auto [entry, isFirst] = worst.try_emplace({run.scene, run.preset}, *found);
        if (!isFirst && found->psnr < entry->second.psnr) entry->second = *found;
    }
    std::vector<ReportPicture> pictures;
    for (const auto& [ignored, view] : worst) {
        if (auto picture = pictureOf(context, view)) pictures.push_back(std::move(*picture));
    }
    return pictures;
}

}  // namespace splat::app
