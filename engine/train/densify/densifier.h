#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <splatwright/primitives/radix_sort.h>
#include <splatwright/render/forward.h>
#include <splatwright/shared/training.h>
#include <splatwright/train/settings.h>
#include <splatwright/train/step/store.h>

namespace splat {

/// What a refinement works on. It runs between two steps, so the frame's buffers are free: it borrows those that are as long as the model.
struct RefineJob {
    GaussianStore& store;
    const FrameBuffers& frame;
    gpu::BufferSlice training;    ///< shared::TrainingState
    gpu::BufferSlice refinement;  ///< shared::Refinement: what takes part, and how many gaussians there are to be
    uint32_t limit = 0;           ///< gaussians that the model may grow to; its capacity may be less
};

/// Something that a densifier does between two steps. Its recording is made once and submitted after every step at which it is due. Counts
/// stay on the GPU; one that needs more capacity halts the frame state and says what it needs, and is then repeated by the host.
struct RefineEvent {
    std::string name;
    std::function<bool(uint32_t)> due;  ///< by the number of steps done
    std::function<void(gpu::Commands&, const RefineJob&)> record;
};

struct DensifierInputs {
    gpu::Device& device;
    const primitives::RadixSort& sort;
    const TrainSettings& settings;
    double sceneExtent;
};

/// A strategy that changes the number of Gaussians during training: a value of --strategy and a test parameter. Each is a file that defines
/// its row, and the row's name in the table.
struct DensifierRow {
    std::string_view name;
    std::string_view help;
    /// The settings that it alone reads; null: none.
    SettingsPart (*settings)() = nullptr;
    /// Changes common settings to its recipe's defaults.
    void (*defaults)(TrainSettings& settings) = [](TrainSettings&) {};
    /// The densification statistics that it reads of every step.
    Statistics (*statistics)(const TrainSettings& settings) = [](const TrainSettings&) { return Statistics::none; };
    std::vector<RefineEvent> (*events)(const DensifierInputs& inputs) = [](const DensifierInputs&) { return std::vector<RefineEvent>(); };
};

std::span<const DensifierRow* const> densifierTable();

/// Throws InputError listing the known names.
const DensifierRow& densifierByName(std::string_view name);

/// Whether a refinement is due after so many steps, and whether it also sorts the gaussians by their places in space.
bool refinesAfter(const TrainSettings& settings, uint32_t steps);
bool sortsByPlace(const TrainSettings& settings, uint32_t steps);

}  // namespace splat
