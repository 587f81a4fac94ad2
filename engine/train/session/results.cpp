#include <splatwright/train/session/results.h>

#include <splatwright/train/evaluate/metrics.h>
#include <splatwright/train/model/trained_kind.h>

namespace splat {

namespace {

Renderer rendererAfterRelease(gpu::Device& device, const primitives::RadixSort& sort, Trainer& trainer) {
    trainer.releaseFrame();
    return {device, sort};
}

}  // namespace

Gaussians trainedSplats(gpu::Device& device, const Trainer& trainer, const TrainingFrame& frame) {
    return trainedKind(trainer.model().kind).splats(device, trainer, frame);
}

std::vector<NamedView> trainedCameras(const Trainer& trainer, const TrainingData& data) {
    std::vector<NamedView> views;
    for (const Camera& camera : trainer.movedCameras()) {
        std::filesystem::path name = data.train[views.size()].name;
        views.push_back({name.replace_extension().string(), fromFrame(data.frame, camera)});
    }
    return views;
}

EvaluatedModel evaluatedModel(const Trainer& trainer) { return {trainer.model(), trainer.shDegree(), trainer.settings().background}; }

ResultRenderer::ResultRenderer(gpu::Device& device, const primitives::RadixSort& sort, Trainer& trainer)
    : renderer_(rendererAfterRelease(device, sort, trainer)), model_(evaluatedModel(trainer)) {}

Image8 ResultRenderer::render(const Camera& camera) {
    return quantised(renderer_.render(model_.gaussians, camera, model_.background, model_.shDegree));
}

Evaluation ResultRenderer::score(const TrainingData& data, const std::function<void(const Image8&)>& onRender) {
    return evaluate(renderer_, model_, data.test, [&](size_t, const Image8& render) { onRender(render); });
}

ViewScore ResultRenderer::score(const Photograph& image) { return evaluate(renderer_, model_, {&image, 1}).views.front(); }

Image8 ResultRenderer::strip(const SessionData& data) {
    if (!data.data().test.empty()) return comparisonStrip(renderer_, model_, data.data().test);
    std::vector<Photograph> shown;
    for (const size_t view : spreadEvenly(data.data().train.size(), kStripRows)) shown.push_back(data.trainingImage(view));
    return comparisonStrip(renderer_, model_, shown);
}

}  // namespace splat
