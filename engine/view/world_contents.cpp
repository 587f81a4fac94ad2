// What goes into a world's buffers and comes back out. Where it lies there is in world.cpp.
#include <algorithm>

#include <splatwright/scene/attributes.h>
#include <splatwright/shared/training.h>
#include <splatwright/shared/viewer.h>
#include <splatwright/view/world.h>
#include "kernels/mean_gradients.h"

namespace splat {

namespace {

Gaussians withoutDeleted(Gaussians g, const std::vector<uint32_t>& marks) {
    size_t kept = 0;
    for (size_t i = 0; i < g.count(); ++i) {
        if (marks[i] & shared::kMarkDeleted) continue;
        if (kept != i) copyGaussian(g, kept, g, i);
        ++kept;
    }
    g.resize(kept, g.shDegree);
    return g;
}

}  // namespace

void World::upload(Id id, const Gaussians& g) { buffers_.upload(device_, g, slot(id).first); }

void World::refresh(Id id, const GaussianModel& from, int shDegree, gpu::BufferSlice densifyStatistics) {
    reserve(id, from.capacity);
    Refresh& refresh = refreshes_[refreshed_++ % kRefreshesInFlight];
    if (refresh.ticket > 0) device_.wait(refresh.ticket);
    refresh.commands.reset();
    refresh.commands.emplace(device_, "refresh " + slot(id).name);
    recordRefresh(*refresh.commands, id, from, shDegree, densifyStatistics);
    refresh.commands->end();
    refresh.ticket = device_.submit(*refresh.commands);
}

void World::recordRefresh(gpu::Commands& c, Id id, const GaussianModel& from, int shDegree, gpu::BufferSlice densifyStatistics) {
    WorldModel& m = slot(id);
    SPLAT_CHECK(m.live, "model {} is not live", id);
    const uint64_t taken = std::min(from.capacity, m.capacity);
    c.stage("refresh");
    for (size_t a = 0; a < std::size(kAttributes); ++a)
        for (uint32_t p = 0; p < planesAt(kAttributes[a], shDegree); ++p)
            c.copy(from.attributes.all()[a].slice(p, 0, taken), buffers_.attributes.all()[a].slice(p, m.first, taken));
    c.copy(from.count, counts_.slice(id * sizeof(uint32_t), sizeof(uint32_t)));
    m.hasGradients = densifyStatistics && densifyStatistics.bytes >= taken * sizeof(shared::DensifyStatistics);
    const auto count = static_cast<uint32_t>(taken);
    if (m.hasGradients)
        c.dispatch(
            kernels::mean_gradients{.densifyStatistics = densifyStatistics, .gradients = gradients_, .first = m.first, .count = count},
            count);
    m.shDegree = shDegree;
    m.antialiased = from.antialiased;
}

Gaussians World::gaussiansOf(Id id) const {
    const WorldModel& m = (*this)[id];
    constexpr uint64_t kWord = sizeof(uint32_t);
    const uint64_t count = std::min(device_.download<uint32_t>(counts_.slice(id * kWord, kWord), 1)[0], m.capacity);
    Gaussians g = buffers_.download(device_, m.shDegree, m.first, count);
    g.antialiased = m.antialiased;
    return withoutDeleted(std::move(g), device_.download<uint32_t>(marks_.slice(0, m.first, count), count));
}

}  // namespace splat
