// What goes into a world's buffers and comes back out. Where it lies there is in world.cpp.
#include <algorithm>

#include "kernels/mean_gradients.h"
#include "shared/structs.h"
#include "view/world.h"

namespace splat {

namespace {

Gaussians withoutDeleted(Gaussians g, const std::vector<uint32_t>& marks) {
    const size_t coefficients = shCoefficients(g.shDegree);
    size_t kept = 0;
    for (size_t i = 0; i < g.count(); ++i) {
        if (marks[i] & shared::kMarkDeleted) continue;
        g.means[kept] = g.means[i];
        g.rotations[kept] = g.rotations[i];
        g.logScales[kept] = g.logScales[i];
        g.logitOpacities[kept] = g.logitOpacities[i];
        std::copy_n(g.sh.begin() + static_cast<std::ptrdiff_t>(i * coefficients), coefficients,
                    g.sh.begin() + static_cast<std::ptrdiff_t>(kept * coefficients));
        ++kept;
    }
    g.resize(kept, g.shDegree);
    return g;
}

}  // namespace

void World::upload(Id id, const Gaussians& g) {
    const WorldModel& m = slot(id);
    const auto put = [&](const gpu::Buffer& buffer, uint64_t plane, const auto& values) {
        const uint64_t each = sizeof(values[0]);
        device_.upload(buffer.slice((plane * buffers_.capacity + m.first) * each, values.size() * each), values);
    };
    const size_t coefficients = shCoefficients(g.shDegree);
    std::vector<glm::vec3> coefficient(g.count());
    for (size_t k = 0; k < coefficients; ++k) {
        for (size_t i = 0; i < g.count(); ++i) coefficient[i] = g.sh[i * coefficients + k];
        k == 0 ? put(buffers_.sh0, 0, coefficient) : put(buffers_.shRest, k - 1, coefficient);
    }
    put(buffers_.means, 0, g.means);
    put(buffers_.rotations, 0, g.rotations);
    put(buffers_.logScales, 0, g.logScales);
    put(buffers_.logitOpacities, 0, g.logitOpacities);
}

void World::refresh(Id id, const GaussianModel& from, int shDegree, gpu::BufferSlice growth) {
    reserve(id, from.capacity);
    Refresh& refresh = refreshes_[refreshed_++ % kRefreshesInFlight];
    if (refresh.ticket > 0) device_.wait(refresh.ticket);
    refresh.commands.reset();
    refresh.commands.emplace(device_, "refresh " + slot(id).name);
    recordRefresh(*refresh.commands, id, from, shDegree, growth);
    refresh.commands->end();
    refresh.ticket = device_.submit(*refresh.commands);
}

void World::recordRefresh(gpu::Commands& c, Id id, const GaussianModel& from, int shDegree, gpu::BufferSlice growth) {
    WorldModel& m = slot(id);
    CHECK(m.live, "model {} is not live", id);
    const uint64_t taken = std::min(from.capacity, m.capacity);
    const auto take = [&](const gpu::Buffer& source, const gpu::Buffer& target, uint64_t each, uint64_t planes) {
        for (uint64_t plane = 0; plane < planes; ++plane)
            c.copy(source.slice(plane * from.capacity * each, taken * each),
                   target.slice((plane * buffers_.capacity + m.first) * each, taken * each));
    };
    c.stage("refresh");
    take(from.means, buffers_.means, sizeof(glm::vec3), 1);
    take(from.rotations, buffers_.rotations, sizeof(glm::vec4), 1);
    take(from.logScales, buffers_.logScales, sizeof(glm::vec3), 1);
    take(from.logitOpacities, buffers_.logitOpacities, sizeof(float), 1);
    take(from.sh0, buffers_.sh0, sizeof(glm::vec3), 1);
    take(from.shRest, buffers_.shRest, sizeof(glm::vec3), shCoefficients(shDegree) - 1);
    c.copy(from.count, counts_.slice(id * sizeof(uint32_t), sizeof(uint32_t)));
    m.hasGradients = growth && growth.bytes >= taken * sizeof(shared::GrowthStatistics);
    const auto count = static_cast<uint32_t>(taken);
    if (m.hasGradients)
        c.dispatch(kernels::mean_gradients{.growth = growth, .gradients = gradients_, .first = m.first, .count = count}, count);
    m.shDegree = shDegree;
    m.antialiased = from.antialiased;
}

Gaussians World::gaussiansOf(Id id) const {
    const WorldModel& m = (*this)[id];
    constexpr uint64_t kWord = sizeof(uint32_t);
    const uint64_t count = std::min(device_.download<uint32_t>(counts_.slice(id * kWord, kWord), 1)[0], m.capacity);
    const auto get = [&]<class T>(const gpu::Buffer& buffer, uint64_t plane, std::vector<T>& into) {
        into = device_.download<T>(buffer.slice((plane * buffers_.capacity + m.first) * sizeof(T), count * sizeof(T)), count);
    };
    Gaussians g;
    g.resize(count, m.shDegree);
    g.antialiased = m.antialiased;
    get(buffers_.means, 0, g.means);
    get(buffers_.rotations, 0, g.rotations);
    get(buffers_.logScales, 0, g.logScales);
    get(buffers_.logitOpacities, 0, g.logitOpacities);
    const size_t coefficients = shCoefficients(g.shDegree);
    std::vector<glm::vec3> coefficient;
    for (size_t k = 0; k < coefficients; ++k) {
        k == 0 ? get(buffers_.sh0, 0, coefficient) : get(buffers_.shRest, k - 1, coefficient);
        for (size_t i = 0; i < count; ++i) g.sh[i * coefficients + k] = coefficient[i];
    }
    std::vector<uint32_t> marks;
    get(marks_, 0, marks);
    return withoutDeleted(std::move(g), marks);
}

}  // namespace splat
