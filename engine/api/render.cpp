#include <splatwright/render.h>

#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <splatwright/api/convert.h>
#include <splatwright/api/device_access.h>
#include <splatwright/api/translate.h>
#include <splatwright/core/error.h>
#include <splatwright/render/renderer.h>

namespace splatwright {

struct Renderer::Impl {
    explicit Impl(splat::gpu::Device& used) : device(used) {}

    splat::gpu::Device& device;
    splat::primitives::RadixSort sort{device};
    splat::Renderer renderer{device, sort};
    std::optional<splat::GaussianModel> model{};
    int shDegree = 0;

    void setSplats(const Splats& splats) {
        const splat::Gaussians gaussians = engineSplats(splats);
        const auto count = static_cast<uint32_t>(gaussians.count());
        if (!model || model->capacity < count) {
            model.reset();  // before the larger one, so that both are never in memory
            model.emplace(device, count);
        }
        try {
            model->upload(device, gaussians);
        } catch (...) {
            model.reset();  // a part of it would be drawn
            throw;
        }
        shDegree = gaussians.shDegree;
    }

    ImageF render(const splat::Camera& camera, const RenderOptions& options) {
        const auto& [r, g, b] = options.background;
        const auto inRange = [](float c) { return c >= 0 && c <= 1; };
        if (!inRange(r) || !inRange(g) || !inRange(b))
            throw splat::InputError("render: background is {}, {}, {}, expected numbers from 0 to 1", r, g, b);
        if (!model) throw splat::InputError("render: there are no splats, expected setSplats() after it ran out of memory");
        return publicImage(renderer.render(*model, camera, {r, g, b}, shDegree));
    }
};

Renderer::Renderer(Device& device, const Splats& splats)
    : impl_(translated([&] { return std::make_unique<Impl>(DeviceAccess::engine(device)); })) {
    setSplats(splats);
}
Renderer::~Renderer() = default;
Renderer::Renderer(Renderer&& other) noexcept = default;
Renderer& Renderer::operator=(Renderer&& other) noexcept = default;

void Renderer::setSplats(const Splats& splats) {
    translated([&] { impl_->setSplats(splats); });
}

ImageF Renderer::render(const Camera& camera, const RenderOptions& options) {
    return translated([&] { return impl_->render(engineCamera(camera, "render"), options); });
}

size_t Renderer::renderPath(std::span<const Camera> path, const OnImage& onImage, const RenderOptions& options) {
    const std::vector<splat::Camera> cameras = translated([&] {
        if (!onImage) throw splat::InputError("renderPath: onImage is empty, expected a function");
        std::vector<splat::Camera> engine;
        for (const Camera& camera : path) engine.push_back(engineCamera(camera, fmt::format("renderPath: camera {}", engine.size())));
        return engine;
    });
    size_t given = 0;
    for (bool goOn = true; goOn && given < cameras.size(); ++given) {
        ImageF image = translated([&] { return impl_->render(cameras[given], options); });
        goOn = onImage(given, std::move(image));  // what it throws is the caller's own
    }
    return given;
}

}  // namespace splatwright
