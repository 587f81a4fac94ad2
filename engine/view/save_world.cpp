#include "view/save_world.h"

#include <algorithm>

#include "core/error.h"
#include "scene/formats/ply.h"

namespace splat {

namespace {

void append(Gaussians& to, const Gaussians& from) {
    const size_t before = to.count(), wide = shCoefficients(to.shDegree), narrow = shCoefficients(from.shDegree);
    to.means.insert(to.means.end(), from.means.begin(), from.means.end());
    to.rotations.insert(to.rotations.end(), from.rotations.begin(), from.rotations.end());
    to.logScales.insert(to.logScales.end(), from.logScales.begin(), from.logScales.end());
    to.logitOpacities.insert(to.logitOpacities.end(), from.logitOpacities.begin(), from.logitOpacities.end());
    to.sh.resize(to.means.size() * wide, glm::vec3(0));
    for (size_t i = 0; i < from.count(); ++i) std::copy_n(&from.sh[i * narrow], narrow, &to.sh[(before + i) * wide]);
}

}  // namespace

Gaussians placedGaussians(const World& world, std::span<const World::Id> models) {
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
    for (const World::Id id : models) append(all, transformed(world.gaussiansOf(id), world[id].placement));
    return all;
}

void saveModels(const World& world, std::span<const World::Id> models, const std::filesystem::path& path) {
    writePly(path, placedGaussians(world, models));
}

}  // namespace splat
