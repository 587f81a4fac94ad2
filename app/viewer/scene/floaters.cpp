#include "viewer/scene/floaters.h"

#include <cmath>
#include <limits>

#include <splatwright/convert/blend_weights.h>
#include <splatwright/core/error.h>
#include <splatwright/scene/gaussians/neighbours.h>
#include <splatwright/scene/gaussians/selected.h>
#include <splatwright/scene/gaussians/usable.h>
#include "viewer/scene/workspace.h"
#include "viewer/widgets/grouped.h"

namespace splat::app {

namespace {

/// What counts of the current model, and where it lies in the world's buffers.
struct Considered {
    Gaussians gaussians;
    std::vector<uint32_t> indices;
};

Considered consider(Workspace& work) {
    if (!work.current) throw InputError("no model is selected");
    const World& world = work.world;
    const WorldModel& model = world[*work.current];
    Gaussians all = world.buffers().download(work.device(), 0, model.first, model.count);
    all.antialiased = model.antialiased;
    const uint64_t word = sizeof(uint32_t);
    const auto marks = work.device().download<uint32_t>(world.marks().slice(model.first * word, model.count * word), model.count);
    Considered found;
    for (uint32_t i = 0; i < model.count; ++i)
        if (isUsable(all, i) && (marks[i] & (shared::kMarkDeleted | shared::kMarkHidden)) == 0) found.indices.push_back(i);
    found.gaussians = selected(all, found.indices);
    for (uint32_t& index : found.indices) index += model.first;
    return found;
}

/// Selects by a number per splat that is considered.
void selectNumbers(Workspace& work, const Considered& considered, const std::vector<float>& numbers, float low, float high) {
    std::vector<float> all(work.world.buffers().capacity, std::numeric_limits<float>::quiet_NaN());
    size_t count = 0;
    for (size_t i = 0; i < numbers.size(); ++i) {
        all[considered.indices[i]] = numbers[i];
        if (numbers[i] >= low && numbers[i] <= high) ++count;
    }
    const gpu::Buffer buffer = work.device().buffer<float>("numbers of splats", all.size());
    work.device().upload(buffer, all);
    work.select(NumberRange{.numbers = buffer, .low = low, .high = high}, Combine::set);
    work.device().waitForAll();  // the selection reads the buffer
    work.say(fmt::format("{} of {} splats are selected", grouped(count), grouped(numbers.size())));
}

}  // namespace

void selectIsolated(Workspace& work, double times) {
    const Considered considered = consider(work);
    selectNumbers(work, considered, isolation(considered.gaussians.means), std::nextafter(static_cast<float>(times), 1e9F),
                  std::numeric_limits<float>::max());
}

void selectRarelySeen(Workspace& work, uint32_t views) {
    if (!work.training || work.training->cameras().empty()) throw InputError("no dataset is open, whose views could show the splats");
    const Considered considered = consider(work);
    const Gaussians placed = transformed(considered.gaussians, work.world[*work.current].transform);
    const std::vector<uint32_t> counts = viewsShowing(work.device(), work.sort(), placed, work.training->cameras(), kLeastShownWeight);
    selectNumbers(work, considered, {counts.begin(), counts.end()}, 0, static_cast<float>(views));
}

}  // namespace splat::app
