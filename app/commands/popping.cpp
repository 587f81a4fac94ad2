#include "commands/popping.h"

#include <optional>

#include <splatwright/scene/gaussians/orbit_views.h>
#include <splatwright/train/evaluate/flip.h>
#include <splatwright/view/picture_reader.h>
#include <splatwright/view/world_view.h>

namespace splat::app {

namespace {

constexpr size_t kFramesPerTurn = 7200;

}  // namespace

Popping measurePopping(gpu::Device& device, WorldView& view, const Extent& extent, const MeasureOptions& options) {
    if (options.popping == 0) return {};
    const auto views = orbitViews(extent, kFramesPerTurn, options.size, options.up);
    const PictureReader reader(device);
    Popping popping;
    std::optional<FlipImage> before;
    for (uint32_t frame = 0; frame <= options.popping; ++frame) {
        view.draw(views[frame % views.size()].camera);
        view.finish();
        FlipImage now(reader.picture(view));
        const double difference = before ? flip(*before, now) : 0;
        popping.mean += difference / options.popping;
        if (difference > popping.worst) popping = {.mean = popping.mean, .worst = difference, .frame = frame};
        before.emplace(std::move(now));
    }
    return popping;
}

}  // namespace splat::app
