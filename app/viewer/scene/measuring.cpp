#include "viewer/scene/measuring.h"

#include <fmt/format.h>

#include <splatwright/core/error.h>
#include "viewer/scene/frusta.h"
#include "viewer/scene/lines.h"
#include "viewer/widgets/gizmo.h"
#include "viewer/window/style.h"

namespace splat::app {

namespace {

constexpr ImU32 kColour = IM_COL32(255, 220, 90, 255);

}  // namespace

void Measuring::add(const glm::dvec3& point) {
    if (points_.size() == 2) points_.clear();
    points_.push_back(point);
}

std::optional<double> Measuring::distance() const {
    if (points_.size() < 2) return std::nullopt;
    return glm::distance(points_[0], points_[1]);
}

ModelTransform Measuring::scaleTo(double length, const ModelTransform& model) {
    if (!(distance().value_or(0) > 0)) throw InputError("there is no distance: click two different points with the tool `measure` first");
    const double factor = length / *distance();
    ModelTransform after = model;
    after.scale *= factor;
    if (after.scale < kLeastScale || after.scale > kLargestScale)
        throw InputError("the model's scale would be {:g}, expected {:g} to {:g}", after.scale, kLeastScale, kLargestScale);
    after.translation = points_[0] + factor * (model.translation - points_[0]);
    points_[1] = points_[0] + factor * (points_[1] - points_[0]);
    return after;
}

void drawMeasured(const Lines& lines, const Measuring& measuring) {
    const auto& measured = measuring.points();
    for (const glm::dvec3& point : measured)
        if (const auto pixel = onPicture(lines.camera(), point)) lines.list().AddCircleFilled(lines.at(*pixel), points(4), kColour);
    if (!measuring.distance()) return;
    lines.segment(measured[0], measured[1], kColour, 2);
    lines.label((measured[0] + measured[1]) / 2.0, fmt::format("{:.4g}", *measuring.distance()).c_str(), kColour);
}

}  // namespace splat::app
