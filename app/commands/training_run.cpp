#include "commands/training_run.h"

#include <array>
#include <iostream>
#include <set>

#include "core/file.h"
#include "gpu/check.h"
#include "scene/formats/ply.h"
#include "scene/image_file.h"
#include "train/initialise.h"

namespace splat::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSplats = "splats.ply";
constexpr const char* kMetrics = "metrics.json";
constexpr const char* kLog = "log.jsonl";
constexpr const char* kStrip = "strip.png";
constexpr std::array<std::string_view, 4> kRunFiles{kSplats, kMetrics, kLog, kStrip};

/// What an earlier run left would pass for this one's until it is replaced.
void removeRun(const fs::path& folder) {
    for (const std::string_view file : kRunFiles) {
        std::error_code failed;
        fs::remove(folder / file, failed);
        if (failed) throw Error("{}: cannot be overwritten: {}", (folder / file).string(), failed.message());
    }
}

std::vector<Camera> camerasOf(const std::vector<Photograph>& photographs) {
    std::vector<Camera> cameras;
    for (const Photograph& p : photographs) cameras.push_back(p.camera);
    return cameras;
}

}  // namespace

TrainingRun::TrainingRun(Context& context, const TrainOptions& options)
    : context_(context), options_(options), settings_(resolveSettings(options)) {
    checkSteps();
    if (!options_.force) refuseToOverwrite(options_.out, kRunFiles);
    load();
}

void TrainingRun::checkSteps() const {
    const auto check = [&](const char* option, uint32_t step) {
        if (step < 1 || step > settings_.steps)
            throw InputError("{}: found step {}, expected 1 to {} (--steps)", option, step, settings_.steps);
    };
    for (const uint32_t step : options_.evalAt) check("--eval-at", step);
    if (context_.options().capture > 0) check("--capture", context_.options().capture);
}

void TrainingRun::load() {
    const Dataset dataset = loadDataset(options_.data, {.images = options_.images});
    frame_ = trainingFrame(dataset.views);
    gpu::Device& device = context_.device();
    out_.emplace(options_.out);
    if (context_.options().capture > 0) capture_.emplace(*out_ / fmt::format("step_{}", context_.options().capture));

    trainViews_ = loadSplit(dataset, Split::train);
    testViews_ = loadSplit(dataset, Split::test);
    if (trainViews_.empty())
        throw InputError("{}: no views are left to train on, expected at least 1 (--test-every {})", options_.data, settings_.testEvery);
    const Gaussians start = initialGaussians(settings_, toFrame(frame_, dataset.points), focusOf(camerasOf(trainViews_)));
    trainer_.emplace(device, context_.sort(), settings_, start, trainViews_, kFrameExtent);
    if (!testViews_.empty()) trainViews_ = {};  // they are on the GPU now
}

std::vector<Photograph> TrainingRun::loadSplit(const Dataset& dataset, Split split) {
    const std::vector<size_t> views = viewsOfSplit(dataset, split, static_cast<int>(settings_.testEvery));
    if (views.empty()) return {};
    Progress progress(std::cerr, context_.progressStyle(), split == Split::train ? "training views" : "test views", views.size());
    const PhotographOptions options{.downscale = static_cast<int>(settings_.downscale), .background = settings_.background};
    auto photographs = loadPhotographs(dataset, views, options, [&](size_t done, size_t) { progress.update(done); });
    for (Photograph& photograph : photographs) photograph.camera = toFrame(frame_, photograph.camera);
    progress.finish();
    return photographs;
}

Exit TrainingRun::run() {
    try {
        train();
    } catch (const gpu::OutOfMemory& problem) {
        if (trainer_->stepsDone() == 0) throw;
        saveSplats();
        throw gpu::OutOfMemory("{}; the splats of step {} are in {}", problem.what(), trainer_->stepsDone(), (*out_ / kSplats).string());
    } catch (const gpu::DeviceLost& problem) {
        throw gpu::DeviceLost("{}; what was trained is lost with it, the log is in {}", problem.what(), (*out_ / kLog).string());
    }
    const bool stopped = interrupted();
    save();
    return stopped ? Exit::interrupted : Exit::done;
}

void TrainingRun::train() {
    removeRun(out_->path());
    log_.emplace(*out_ / kLog);
    interrupt_.emplace();
    progress_.emplace(std::cerr, context_.progressStyle(), "training", settings_.steps);
    std::set<uint32_t> stops(options_.evalAt.begin(), options_.evalAt.end());
    stops.insert(settings_.steps);
    for (const uint32_t stop : stops) {
        trainUntil(stop);
        if (interrupted()) break;
        evaluateNow();
    }
    progress_->finish();
}

void TrainingRun::trainUntil(uint32_t step) {
    pauseAt_ = step;
    const uint32_t captured = context_.options().capture;
    if (capture_ && captured > trainer_->stepsDone() && captured <= step) {
        runSteps(captured - 1);
        if (!interrupted()) fmt::print("{}\n", trainer_->captureStep(*capture_).string());
    }
    runSteps(step);
}

void TrainingRun::runSteps(uint32_t until) {
    clock_.restart(trainer_->stepsDone());
    if (!interrupted()) trainer_->run(until, [&](const StepReport& report) { return onStep(report); });
}

/// Called for every step, while the GPU works on later ones: nothing here may take long.
bool TrainingRun::onStep(const StepReport& report) {
    last_ = report;
    millisecondsPerStep_ = clock_.lap(report.step);
    if (report.step % settings_.logEvery == 0 && report.step != pauseAt_) writeLog({});
    if (progress_->due()) progress_->update(report.step, details());
    return !interrupted();
}

std::string TrainingRun::details() const {
    std::string text = fmt::format("loss {:.4f}  {} splats  {:.2f} ms/step", last_.loss, last_.gaussians, millisecondsPerStep_);
    if (!evaluation_.views.empty()) text += fmt::format("  PSNR {:.2f}", evaluation_.psnr);
    return text;
}

void TrainingRun::writeLog(std::optional<double> psnr) {
    log_->write(
        {.step = last_.step, .loss = last_.loss, .splats = last_.gaussians, .millisecondsPerStep = millisecondsPerStep_, .psnr = psnr});
}

void TrainingRun::evaluateNow() {
    if (testViews_.empty()) {
        writeLog({});
    } else {
        Renderer renderer(context_.device(), context_.sort());
        evaluation_ = evaluate(renderer, evaluated(), testViews_);
        writeLog(evaluation_.psnr);
    }
    progress_->update(trainer_->stepsDone(), details());
}

void TrainingRun::save() {
    const size_t splats = saveSplats();
    if (!interrupted()) {
        Renderer renderer(context_.device(), context_.sort());
        writePng(*out_ / kStrip, comparisonStrip(renderer, evaluated(), testViews_.empty() ? trainViews_ : testViews_));
    }
    const RunSummary summary{.settings = settings_,
                             .evaluation = evaluation_,
                             .costs = trainer_->costs(),
                             .splats = splats,
                             .totalSeconds = std::chrono::duration<double>(Clock::now() - begin_).count(),
                             .peakDeviceBytes = context_.device().memoryPeak(),
                             .device = context_.device().name(),
                             .version = SPLAT_VERSION};
    writeFileAtomically(*out_ / kMetrics, toJson(summary).dump(2) + "\n");
    printSummary(summary);
}

size_t TrainingRun::saveSplats() const {
    const Gaussians gaussians = fromFrame(frame_, trainer_->model().download(context_.device(), trainer_->shDegree()));
    writePly(*out_ / kSplats, gaussians);
    return gaussians.count();
}

void TrainingRun::printSummary(const RunSummary& summary) const {
    const TrainingCosts& costs = summary.costs;
    fmt::print("{}steps   {} in {:.1f} s ({:.2f} ms each), {:.1f} s in all\n", interrupted() ? "interrupted\n" : "", costs.steps,
               costs.seconds, 1000 * costs.seconds / std::max(1u, costs.steps), summary.totalSeconds);
    fmt::print("splats  {}\n", summary.splats);
    if (!evaluation_.views.empty()) {
        fmt::print("PSNR    {:.2f} dB on {} test views\nSSIM    {:.4f}\n", evaluation_.psnr, evaluation_.views.size(), evaluation_.ssim);
    }
    fmt::print("files   {}: {}, {}, {}{}\n", options_.out, kSplats, kMetrics, kLog, interrupted() ? "" : fmt::format(", {}", kStrip));
}

}  // namespace splat::app
