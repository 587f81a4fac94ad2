#include <splatwright/view/save_world.h>

#include <algorithm>

#include <splatwright/core/error.h>

namespace splat {

Gaussians placedGaussians(const World& world, std::span<const World::Id> models, uint32_t flags) {
    Gaussians all;
    for (const World::Id id : models) {
        const WorldModel& m = world[id];
        const WorldModel& first = world[models.front()];
        if (m.antialiased != first.antialiased) {
            throw InputError("{} is {} the 2D filter and {} is not: they cannot be saved as one model", m.name,
                             m.antialiased ? "with" : "without", first.name);
        }
        all.shDegree = std::max(all.shDegree, m.shDegree);
        all.antialiased = m.antialiased;
    }
    for (const World::Id id : models) append(all, transformed(world.gaussiansOf(id, flags), world[id].transform));
    return all;
}

void saveModels(const World& world, std::span<const World::Id> models, const std::filesystem::path& path, const SplatWriter& writer) {
    writer.write(path, placedGaussians(world, models));
}

}  // namespace splat
