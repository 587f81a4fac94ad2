#include <splatwright/train/session/training_data.h>

#include <splatwright/core/error.h>
#include <splatwright/core/names.h>
#include <splatwright/scene/datasets/picture.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/parts/depth_settings.h>
#include <splatwright/train/session/depth_supervision.h>
#include <splatwright/train/session/initialise.h>

namespace splat {

namespace {

/// As many of the views, spread evenly.
std::vector<size_t> spread(const std::vector<size_t>& views, size_t count) {
    std::vector<size_t> chosen;
    for (size_t i = 0; i < count; ++i) chosen.push_back(views[(2 * i + 1) * views.size() / (2 * count)]);
    return chosen;
}

std::vector<size_t> viewsFor(const Dataset& dataset, Split split, const TrainSettings& settings) {
    std::vector<size_t> views = viewsOfSplit(dataset, split, static_cast<int>(settings.testEvery));
    const bool all = split != Split::train || settings.trainViews == 0 || settings.trainViews >= views.size();
    return all ? views : spread(views, settings.trainViews);
}

std::vector<Photograph> loadSplit(const Dataset& dataset, Split split, const TrainingFrame& frame, const TrainSettings& settings,
                                  const TrainingDataOptions& options) {
    const std::vector<size_t> views = viewsFor(dataset, split, settings);
    if (views.empty()) return {};
    const auto progress = [&](size_t done, size_t total) {
        if (options.progress) options.progress(split, done, total);
    };
    const PhotographOptions wanted{.downscale = static_cast<int>(settings.downscale),
                                   .background = settings.background,
                                   .keepAlpha = options.keepAlpha || (split == Split::train && settings.randomBackground),
                                   .masks = settings.masks,
                                   .depths = split == Split::train && settings.of<DepthSettings>().depth == "maps",
                                   .megapixels = settings.maxMegapixels};
    progress(0, views.size());
    auto photographs = loadPhotographs(dataset, views, wanted, progress);
    for (Photograph& photograph : photographs) {
        // Loading scales a camera with its image, but blobs have coordinates of the picture that they are fitted to.
        if (dataset.format == kPictureFormat) photograph.camera = pixelCamera(photograph.camera.width, photograph.camera.height);
        photograph.camera = toFrame(frame, photograph.camera);
    }
    return photographs;
}

}  // namespace

Camera TrainingData::shownCamera(const Photograph& view) const {
    return format == kPictureFormat ? cameraBefore(view.camera.width, view.camera.height) : fromFrame(frame, view.camera);
}

TrainingData loadTrainingData(const Dataset& dataset, const TrainSettings& settings, const TrainingDataOptions& options) {
    checkKind(dataset.path.string(), dataset.format, settings);
    const TrainingFrame frame = trainingFrame(dataset.views);
    TrainingData data{.path = printable(dataset.path.string()),
                      .format = std::string(dataset.format),
                      .frame = frame,
                      .points = toFrame(frame, dataset.points),
                      .train = loadSplit(dataset, Split::train, frame, settings, options),
                      .test = loadSplit(dataset, Split::test, frame, settings, options)};
    if (data.train.empty()) {
        const std::string why =
            dataset.ownUses.empty() ? fmt::format("`test_every` {}", settings.testEvery) : "the dataset defines the split";
        throw InputError("{}: no views are left to train on, expected at least 1 ({})", data.path, why);
    }
    const ImageChange change = trainedKind(settings).imageChange(settings);
    for (Photograph& photograph : data.train) change(photograph.image);
    superviseDepths(data.train, dataset, viewsFor(dataset, Split::train, settings), data.points, settings);
    return data;
}

void checkKind(const std::string& path, std::string_view format, const TrainSettings& settings) {
    const SettingUse found = format == kPictureFormat ? SettingUse::pictures : SettingUse::scenes, expected = trainedKind(settings).subject;
    if (found != expected)
        throw InputError("{}: found {}, expected {} for strategy '{}'", path, nameOf(found), nameOf(expected), settings.strategy);
}

Gaussians startOf(const TrainingData& data, const TrainSettings& settings) {
    if (settings.startsFromFile()) return toFrame(data.frame, gaussiansOfFile(settings));
    std::vector<Camera> cameras;
    for (const Photograph& p : data.train) cameras.push_back(p.camera);
    return initialGaussians(settings, data.points, focusOf(cameras));
}

}  // namespace splat
