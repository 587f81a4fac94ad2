#include <splatwright/render/renderer.h>

#include <algorithm>

namespace splat {

Renderer::Renderer(gpu::Device& device, const primitives::RadixSort& sort)
    : device_(device), forward_(device, sort), view_(device.buffer<shared::ViewParameters>("view", 1)) {}

void Renderer::reserve(const FrameCapacity& needed) {
    const FrameCapacity old = frame_ ? frame_->capacity : FrameCapacity{};
    const FrameCapacity grown{.gaussians = std::max(old.gaussians, needed.gaussians),
                              .instances = std::max(old.instances, needed.instances),
                              .width = std::max(old.width, needed.width),
                              .height = std::max(old.height, needed.height),
                              .backward = false};
    const bool fits = frame_ && grown.gaussians == old.gaussians && grown.instances == old.instances && grown.width == old.width &&
                      grown.height == old.height;
    if (fits) return;
    frame_.reset();  // frees the old buffers first, so that both are never in memory
    frame_.emplace(device_, grown);
}

void Renderer::draw(const GaussianModel& model, const Camera& camera, const Look& look, const After& after) {
    drawAll(model, {&camera, 1}, look, [&](gpu::Commands& commands, const FrameBuffers& frame, size_t) {
        if (after) after(commands, frame);
    });
}

void Renderer::drawAll(const GaussianModel& model, std::span<const Camera> cameras, const Look& look, const AfterEach& after) {
    FrameCapacity needed{.gaussians = model.capacity, .instances = 4 * model.capacity};
    for (const Camera& camera : cameras) {
        needed.width = std::max(needed.width, static_cast<uint32_t>(camera.width));
        needed.height = std::max(needed.height, static_cast<uint32_t>(camera.height));
    }
    for (size_t drawn = 0; drawn < cameras.size();) {
        reserve(needed);
        const std::vector<shared::FrameState> states = drawOnce({model, cameras, look, after}, drawn);
        const auto overflow = std::ranges::find_if(states, [](const shared::FrameState& state) { return state.halted != 0; });
        drawn += static_cast<size_t>(overflow - states.begin());
        if (overflow != states.end()) needed.instances = FrameCapacity::withMargin(overflow->instancesNeeded);
    }
}

/// Draws the next pictures, from `first` on. Returns the frame's state after each: one that overflows leaves it halted for those behind.
std::vector<shared::FrameState> Renderer::drawOnce(const Pictures& pictures, size_t first) {
    const size_t count = std::min(pictures.cameras.size() - first, kPicturesAtOnce);
    const auto views = device_.buffer<shared::ViewParameters>("views to draw", count, gpu::Residence::staging);
    const auto parameters = device_.buffer<shared::FrameParameters>("parameters of pictures", 1, gpu::Residence::staging);
    const auto states = device_.buffer<shared::FrameState>("states after pictures", count, gpu::Residence::readback);
    *parameters.mapped<shared::FrameParameters>() = {.shDegree = static_cast<uint32_t>(pictures.look.shDegree),
                                                     .background = pictures.look.background};
    std::vector<gpu::Commands> recordings;
    for (size_t i = 0; i < count; ++i) {
        const Camera& camera = pictures.cameras[first + i];
        views.mapped<shared::ViewParameters>()[i] = viewParameters(camera);
        gpu::Commands& commands =
            recordings.emplace_back(device_, "picture", i + 1 == count ? gpu::StageTimes::measured : gpu::StageTimes::none);
        commands.copy(views.slice(i * sizeof(shared::ViewParameters), sizeof(shared::ViewParameters)), view_);
        commands.copy(parameters, frame_->parameters);
        forward_.record(commands, pictures.model, *frame_,
                        {view_, 0, static_cast<uint32_t>(camera.width), static_cast<uint32_t>(camera.height)});
        pictures.after(commands, *frame_, first + i);
        commands.copy(frame_->state, states.slice(i * sizeof(shared::FrameState), sizeof(shared::FrameState)));
        commands.end();
    }
    std::vector<const gpu::Commands*> all;
    for (const gpu::Commands& commands : recordings) all.push_back(&commands);
    device_.wait(device_.submit(all));
    keepStages(recordings.back());
    const auto* found = states.mapped<shared::FrameState>();
    return {found, found + count};
}

void Renderer::keepStages(const gpu::Commands& commands) {
    const std::vector<double> milliseconds = commands.stageMilliseconds();
    stages_.clear();
    for (size_t i = 0; i < milliseconds.size(); ++i) stages_.emplace_back(commands.stages()[i], milliseconds[i]);
}

ImageF Renderer::render(const GaussianModel& model, const Camera& camera, glm::vec3 background, int shDegree) {
    draw(model, camera, {.background = background, .shDegree = shDegree});
    ImageF image(camera.width, camera.height, 3);
    device_.download(frame_->colours, std::as_writable_bytes(std::span(image.pixels)));
    return image;
}

}  // namespace splat
