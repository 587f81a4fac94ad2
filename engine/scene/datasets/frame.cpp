#include <splatwright/scene/datasets/frame.h>

#include <algorithm>
#include <cmath>

#include <splatwright/core/error.h>

namespace splat {

namespace {

constexpr double kDegenerate = 1e-9;  // dataset units, relative to the centre's own size: nearer cameras stand in one place

void addToScales(Gaussians& gaussians, double logScale) {
    for (glm::vec3& scale : gaussians.logScales) scale += static_cast<float>(logScale);
}

}  // namespace

TrainingFrame trainingFrame(std::span<const View> views) {
    SPLAT_CHECK(!views.empty(), "no views");
    TrainingFrame frame;
    for (const View& view : views) frame.centre += view.camera.position() / static_cast<double>(views.size());
    double farthest = 0;
    for (const View& view : views) farthest = std::max(farthest, glm::distance(view.camera.position(), frame.centre));
    if (farthest > kDegenerate * std::max(1.0, glm::length(frame.centre))) frame.scale = 1 / farthest;
    return frame;
}

Camera toFrame(const TrainingFrame& frame, const Camera& camera) {
    Camera moved = camera;
    moved.translation = frame.scale * (camera.rotation * frame.centre + camera.translation);
    return moved;
}

std::vector<Point> toFrame(const TrainingFrame& frame, std::vector<Point> points) {
    for (Point& point : points) point.position = glm::vec3((glm::dvec3(point.position) - frame.centre) * frame.scale);
    return points;
}

Gaussians toFrame(const TrainingFrame& frame, Gaussians gaussians) {
    for (glm::vec3& mean : gaussians.means) mean = glm::vec3((glm::dvec3(mean) - frame.centre) * frame.scale);
    addToScales(gaussians, std::log(frame.scale));
    return gaussians;
}

ModelTransform transformOf(const TrainingFrame& frame) { return {.translation = frame.centre, .scale = 1 / frame.scale}; }

Camera fromFrame(const TrainingFrame& frame, const Camera& camera) {
    Camera moved = camera;
    moved.translation = camera.translation / frame.scale - camera.rotation * frame.centre;
    return moved;
}

Gaussians fromFrame(const TrainingFrame& frame, Gaussians gaussians) {
    for (glm::vec3& mean : gaussians.means) mean = glm::vec3(glm::dvec3(mean) / frame.scale + frame.centre);
    addToScales(gaussians, -std::log(frame.scale));
    return gaussians;
}

}  // namespace splat
