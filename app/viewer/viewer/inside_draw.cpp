#include "viewer/viewer/inside_draw.h"

#include <algorithm>
#include <chrono>

#include <splatwright/core/error.h>
#include <splatwright/explain/draw_copy.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/densify/mcmc_settings.h>
#include <splatwright/train/step/trainer.h>
#include "viewer/widgets/grouped.h"

namespace splat::app {

namespace {

constexpr uint32_t kSeed = 42;

/// The model alone, as the world has it.
GaussianModel copyOf(Workspace& work, World::Id id) {
    const World& world = work.world;
    const WorldModel& model = world[id];
    const auto count = explain::downloadOne<uint32_t>(work.device(), world.counts(), id);
    if (model.details) throw InputError("{} is streamed: draws are from all splats of a model, and not all of them are here.", model.name);
    if (count == 0) throw InputError("{} has no splats to draw from.", model.name);
    return explain::copyForDraw(work.device(), {.model = world.buffers(), .first = model.first}, count, model.shDegree);
}

/// Steps after which the last refinement was; 0: none was.
uint32_t lastRefinement(const TrainSettings& settings, uint32_t steps) {
    const uint32_t last = std::min(steps, std::max(settings.densifyUntil, 1u) - 1) / settings.densifyInterval * settings.densifyInterval;
    return refinesAfter(settings, last) ? last : 0;
}

}  // namespace

uint32_t InsideDraw::numberOf(const explain::TileList& tile) const {
    const auto isOfTile = [&](uint32_t source) {
        return std::ranges::find(tile.splats, first + source, &explain::ListedSplat::gaussian) != tile.splats.end();
    };
    const auto found = std::ranges::find_if(draw.sources, isOfTile);
    return found != draw.sources.end() ? static_cast<uint32_t>(found - draw.sources.begin()) : numbers() / 2;
}

std::string InsideDraw::describe() const {
    const std::string drawn = fmt::format("{} of {} splats", grouped(numbers()), grouped(draw.weights.size()));
    if (step) return fmt::format("Growth after step {}: {} of {} were drawn by opacity.", grouped(*step), drawn, model);
    return fmt::format("Strategy mcmc would draw {} of {} by opacity to grow it now, and relocate {} that are dead.", drawn, model,
                       grouped(draw.dead));
}

std::optional<World::Id> modelOf(const Workspace& work, const explain::PixelLook& look) {
    const auto& steps = look.blend.steps;
    const auto most = std::ranges::max_element(steps, {}, &shared::BlendStep::weight);
    if (most == steps.end()) return work.current;
    const auto owner = work.world.ownerOf(look.tile.splats[static_cast<size_t>(most - steps.begin())].gaussian);
    return owner ? std::optional(owner->first) : work.current;
}

InsideDraw drawFor(Workspace& work, std::optional<World::Id> id) {
    if (!id) throw InputError("No model is open that splats could be drawn from.");
    const WorldModel& model = work.world[*id];
    return {.model = model.name,
            .first = model.first,
            .step = std::nullopt,
            .draw = explain::drawForDivision(work.device(), copyOf(work, *id), kSeed, McmcSettings().growFactor)};
}

void LastDraw::follow(Workspace& work) {
    if (busy() && coming_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
        std::optional<explain::WeightedDraw> draw;
        try {
            draw = coming_.get();
        } catch (const std::exception&) {  // the training has ended before, or there was too little memory
        }
        const WorldModel& model = work.world[work.training->model()];
        if (draw) last_ = std::make_unique<InsideDraw>(InsideDraw{model.name, model.first, asked_.step, std::move(*draw)});
    }
    if (!busy()) ask(work);
}

void LastDraw::ask(Workspace& work) {
    Training& training = *work.training;
    const LiveState& state = training.state();
    const Drawn now{.training = &training, .data = state.dataGeneration, .step = lastRefinement(state.settings, state.last.step)};
    if (now == asked_) return;
    if (now.training != asked_.training || now.data != asked_.data || now.step < asked_.step) last_.reset();
    asked_ = now;
    if (now.step == 0) return;
    const auto promise = std::make_shared<std::promise<std::optional<explain::WeightedDraw>>>();
    coming_ = promise->get_future();
    training.live().inspect([promise, &device = work.device()](const Trainer& trainer) {
        try {
            const primitives::CdfTable* table = trainer.drawnFrom();
            promise->set_value(table ? explain::lastDraw(device, *table) : std::nullopt);
        } catch (const Error&) {
            promise->set_exception(std::current_exception());
        }
    });
}

}  // namespace splat::app
