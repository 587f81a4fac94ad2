#include "commands/render/drawing.h"

#include <chrono>
#include <thread>

#include <splatwright/gpu/painting.h>
#include <splatwright/render/renderer.h>
#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/train/evaluate/metrics.h>
#include <splatwright/view/detail_stream.h>
#include <splatwright/view/picture_reader.h>

namespace splat::app {

namespace {

/// Colours as training and evaluation see them.
class ColourDrawing : public Drawing {
public:
    ColourDrawing(Context& context, const RenderScene& scene)
        : scene_(scene),
          model_(context.device(), static_cast<uint32_t>(scene.gaussians.count()), scene.kind),
          renderer_(context.device(), context.sort()) {
        model_.upload(context.device(), scene.gaussians);
    }
    void draw(size_t view) override {
        drawn_ = renderer_.render(model_, scene_.views[view].camera, scene_.background, scene_.gaussians.shDegree);
    }
    Image8 picture() override { return quantised(drawn_); }
    ImageF values() override { return drawn_; }

private:
    const RenderScene& scene_;
    GaussianModel model_;
    Renderer renderer_;
    ImageF drawn_;
};

/// All other modes, as the viewer draws them.
class ModeDrawing : public Drawing {
public:
    ModeDrawing(Context& context, const RenderScene& scene, const RenderMode& mode)
        : device_(context.device()), scene_(scene), world_(device_), view_(device_, context.sort(), world_), reader_(device_) {
        if (scene.streamed.empty())
            world_.add("splats", scene.gaussians, scene.kind);
        else
            stream_.emplace(device_, world_, "splats", scene.streamed, scene.budget);
        view_.settings.picture = mode.name;
        view_.settings.background = scene.background;
    }
    void draw(size_t view) override {
        const Camera& camera = scene_.views[view].camera;
        if (renderModeByName(view_.settings.picture).need == RenderModeNeed::groundTruth) loadGroundTruth(view);
        if (stream_ && scene_.live > 0) awaitTime(view);
        view_.draw(camera);
        view_.finish();
        if (stream_ && scene_.live == 0) awaitLevels(camera);
        range_ = view_.reports().back().range;
    }
    std::optional<std::pair<float, float>> range() override { return range_; }
    void setRange(std::pair<float, float> range) override {
        view_.settings.autoRange = false;
        view_.settings.rangeLow = range.first;
        view_.settings.rangeHigh = range.second;
    }
    Image8 picture() override { return reader_.picture(view_); }
    ImageF values() override {
        ImageF values = reader_.values(view_);
        if (view_.mode().unit != "world units") return values;
        for (float& value : values.pixels) value = static_cast<float>(value / scene_.worldUnit);
        return values;
    }

private:
    /// Draws until all levels of detail that the picture wants are there.
    void awaitLevels(const Camera& camera) {
        do {
            updateStream();
            view_.draw(camera);
            view_.finish();
        } while (!stream_->complete());
    }
    /// Waits until it is the view's turn, and brings the levels that have been read by then.
    void awaitTime(size_t view) {
        if (!start_) start_ = std::chrono::steady_clock::now();
        std::this_thread::sleep_until(*start_ + view * std::chrono::nanoseconds(std::chrono::seconds(1)) / scene_.live);
        updateStream();
    }
    void updateStream() {
        stream_->update();
        if (const std::string problem = stream_->takeProblem(); !problem.empty()) throw InputError("{}", problem);
    }
    void loadGroundTruth(size_t view) {
        const auto photographs = loadPhotographs(*scene_.dataset, {scene_.datasetViews[view]}, {.background = scene_.background});
        const Image8& image = photographs.front().image;
        const Camera& camera = scene_.views[view].camera;
        if (image.width != camera.width || image.height != camera.height)
            throw InputError("{}: is {}x{}, expected {}x{}, the size of its camera", photographs.front().name, image.width, image.height,
                             camera.width, camera.height);
        groundTruth_ = device_.buffer<uint32_t>("ground truth", image.pixels.size() / 3);
        device_.upload(groundTruth_, gpu::texelsOf(image));
        view_.groundTruth = {groundTruth_, {camera.width, camera.height}};
    }

    gpu::Device& device_;
    const RenderScene& scene_;
    World world_;
    std::optional<DetailStream> stream_;
    std::optional<std::chrono::steady_clock::time_point> start_;  // of the first view
    WorldView view_;
    PictureReader reader_;
    gpu::Buffer groundTruth_;
    std::optional<std::pair<float, float>> range_;
};

}  // namespace

std::unique_ptr<Drawing> makeDrawing(Context& context, const RenderScene& scene, const RenderMode& mode) {
    if (mode.name == "colour" && scene.streamed.empty()) return std::make_unique<ColourDrawing>(context, scene);
    return std::make_unique<ModeDrawing>(context, scene, mode);
}

}  // namespace splat::app
