#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <splatwright/primitives/cdf.h>
#include <splatwright/primitives/radix_sort.h>
#include <splatwright/render/forward.h>
#include <splatwright/shared/training.h>
#include <splatwright/train/densify/blend_statistics.h>
#include <splatwright/train/model/store.h>
#include <splatwright/train/model/trained_kind.h>
#include <splatwright/train/settings/settings.h>

namespace splat {

class RefinementTools;

/// Inputs of a refinement. It runs between two steps, so it may use the frame's per-Gaussian buffers as scratch.
struct RefineJob {
    GaussianStore& store;
    const FrameBuffers& frame;
    gpu::BufferSlice training;    ///< shared::TrainingState
    gpu::BufferSlice refinement;  ///< shared::Refinement
    const RefinementTools& tools;
    uint32_t limit = 0;       ///< maximum number of Gaussians; the capacity may be smaller
    gpu::BufferSlice target;  ///< uint per pixel, RGBA8: the first image; FrameBuffers::colours is its render if there is no other
    glm::uvec2 size{0};       ///< of the first image
};

/// An operation between two steps, recorded after RefinementTools::recordBegin(). It is recorded once and submitted after each step at which it is
/// due. If it needs more capacity, it halts the frame state and reports the capacity needed; the host then replays it.
struct RefineEvent {
    std::string name;
    std::function<bool(uint32_t)> due;  ///< argument: number of completed steps
    std::function<void(gpu::Commands&, const RefineJob&)> record;
    /// Distribution over the Gaussians that it last drew from, and the plan of that draw, of 0 draws if it has not drawn. Null: it draws none.
    std::function<const primitives::CdfTable*()> drawnFrom = nullptr;
    bool late = false;  ///< recorded when it is first due, because it takes memory
};

struct DensifierInputs {
    gpu::Device& device;
    const primitives::RadixSort& sort;
    const TrainSettings& settings;
    double sceneExtent;
};

/// A densification strategy: a value of --strategy and a test parameter. One file defines its row, and the table lists the row's name.
struct DensifierRow {
    std::string_view name;
    std::string_view help;
    /// Creates the settings of this strategy alone; null: none.
    SettingsPart (*settings)() = nullptr;
    /// Changes common settings to the strategy's defaults.
    void (*defaults)(TrainSettings& settings) = [](TrainSettings&) {};
    double startShare = 0.5;  ///< most initial Gaussians, of max_splats: growth needs room
    /// Throws InputError for settings that contradict each other.
    void (*check)(const TrainSettings& settings) = [](const TrainSettings&) {};
    /// The densification statistics that it needs from every step.
    Statistics (*statistics)(const TrainSettings& settings) = [](const TrainSettings&) { return Statistics::none; };
    /// The sums over fragments that it needs from every step.
    BlendStatistics (*blend)(const TrainSettings& settings) = [](const TrainSettings&) { return BlendStatistics(); };
    /// Name of the kind of model that it trains.
    std::string_view (*kind)(const TrainSettings& settings) = [](const TrainSettings&) { return gaussiansIn3d().name; };
    /// How many Gaussians the buffers have capacity for from the start, for images of this size: the frame must not be replaced for them.
    uint32_t (*reserves)(const TrainSettings& settings, glm::uvec2 size) = [](const TrainSettings&, glm::uvec2) { return 0u; };
    std::vector<RefineEvent> (*events)(const DensifierInputs& inputs) = [](const DensifierInputs&) { return std::vector<RefineEvent>(); };

    bool grows() const { return startShare < 1; }
};

std::span<const DensifierRow* const> densifierTable();

/// Throws InputError listing the known names.
const DensifierRow& densifierByName(std::string_view name);

/// The kind of model that the settings train. Throws InputError for an unknown strategy.
const TrainedKindRow& trainedKind(const TrainSettings& settings);

/// Default settings of a strategy. Throws InputError for an unknown one.
TrainSettings defaultsOf(std::string_view strategy);

/// Whether a refinement is due after this number of steps, and whether it also sorts the Gaussians by position (Morton order).
bool refinesAfter(const TrainSettings& settings, uint32_t steps);
bool sortsByPlace(const TrainSettings& settings, uint32_t steps);
/// The events of refinements that only refine, and of those that sort, too; `record` gets which of them it records.
std::vector<RefineEvent> refinementEvents(const TrainSettings& settings,
                                          const std::function<void(gpu::Commands&, const RefineJob&, bool sorted)>& record);

}  // namespace splat
