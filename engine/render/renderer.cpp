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
    const auto width = static_cast<uint32_t>(camera.width);
    const auto height = static_cast<uint32_t>(camera.height);
    reserve({.gaussians = model.capacity, .instances = 4 * model.capacity, .width = width, .height = height});
    device_.upload(view_, std::vector{viewParameters(camera)});
    for (;;) {
        device_.upload(frame_->parameters, std::vector{shared::FrameParameters{.shDegree = static_cast<uint32_t>(look.shDegree),
                                                                               .background = look.background}});
        gpu::Commands commands(device_, "picture");
        forward_.record(commands, model, *frame_, {view_, 0, width, height});
        if (after) after(commands, *frame_);
        commands.end();
        device_.wait(device_.submit(commands));
        const auto state = device_.download<shared::FrameState>(frame_->state, 1)[0];
        if (!state.halted) {
            const auto milliseconds = commands.stageMilliseconds();
            stages_.clear();
            for (size_t i = 0; i < milliseconds.size(); ++i) stages_.emplace_back(commands.stages()[i], milliseconds[i]);
            break;
        }
        reserve({.instances = FrameCapacity::withMargin(state.instancesNeeded)});
    }
}

ImageF Renderer::render(const GaussianModel& model, const Camera& camera, glm::vec3 background, int shDegree) {
    draw(model, camera, {.background = background, .shDegree = shDegree});
    ImageF image(camera.width, camera.height, 3);
    device_.download(frame_->colours, std::as_writable_bytes(std::span(image.pixels)));
    return image;
}

}  // namespace splat
