#include <splatwright/view/model_views.h>

#include <algorithm>

#include <splatwright/render/view.h>

namespace splat {

namespace {

constexpr float kEyeAway = 1e7F;  // model units: every Gaussian is seen from the same direction

glm::vec3 row(const glm::dmat3& m, int r) { return {m[0][r], m[1][r], m[2][r]}; }

/// For rays along `forward`: the Jacobian has no perspective, and colours are those of this direction.
void makeParallel(shared::ViewParameters& view) {
    view.ratioMin = view.ratioMax = glm::vec2(0);
    view.position -= kEyeAway * glm::normalize(view.forward);
}

}  // namespace

shared::ViewParameters viewParameters(const Camera& camera, const ModelTransform& transform) {
    shared::ViewParameters view = viewParameters(camera);
    if (transform == ModelTransform{}) return view;
    const glm::dmat3 rotation = camera.rotation * glm::mat3_cast(glm::normalize(transform.rotation)) * transform.scale;
    view.right = row(rotation, 0);
    view.down = row(rotation, 1);
    view.forward = row(rotation, 2);
    view.translation = camera.rotation * transform.translation + camera.translation;
    view.position = transformed(camera.position(), inverse(transform));
    return view;
}

std::vector<shared::ModelView> modelViews(const World& world, const World::Chosen& chosen, const Camera& camera, bool orthographic) {
    std::vector<shared::ModelView> views(std::max(world.slots(), 1u));
    for (const World::Id id : world.ids()) {
        const WorldModel& m = world[id];
        views[id] = {.view = viewParameters(camera, m.transform),
                     .first = m.first,
                     .shDegree = static_cast<uint32_t>(m.shDegree),
                     .flags = (world.shows(id, chosen) ? shared::kModelVisible : 0) | (m.antialiased ? shared::kModelAntialiased : 0) |
                              (m.hasGradients ? shared::kModelGradients : 0),
                     .tint = m.tint};
        if (orthographic) makeParallel(views[id].view);
    }
    return views;
}

}  // namespace splat
