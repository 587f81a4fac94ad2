#pragma once

#include <optional>
#include <vector>

#include <splatwright/scene/gaussians/model_transform.h>

namespace splat::app {

class Lines;

/// The distance of two points that were clicked.
class Measuring {
public:
    double knownLength = 1;  ///< that the distance has in reality

    /// A third point begins anew.
    void add(const glm::dvec3& point);
    void clear() { points_.clear(); }
    const std::vector<glm::dvec3>& points() const { return points_; }
    /// World units; nothing before the second point.
    std::optional<double> distance() const;
    /// Gives the distance a length: returns the transform of a model that is scaled around the first point, and moves the second along. Throws
    /// InputError if there are not two different points, or the model's scale would leave its limits.
    ModelTransform scaleTo(double length, const ModelTransform& model);

private:
    std::vector<glm::dvec3> points_;
};

/// Draws the points, and between them the distance.
void drawMeasured(const Lines& lines, const Measuring& measuring);

}  // namespace splat::app
