#pragma once

#include <glm/glm.hpp>

#include <splatwright/scene/cameras/camera.h>
#include <splatwright/scene/gaussians/model_transform.h>

namespace splat::app {

/// The camera as matrices of OpenGL, whose cameras look along -z with y up. distance: of what is looked at, which near and far plane enclose.
glm::mat4 viewMatrix(const Camera& camera);
glm::mat4 projectionMatrix(const Camera& camera, double distance);

/// Limits of a model's scale.
inline constexpr double kLeastScale = 1e-4, kLargestScale = 1e4;

/// Handles on a model that move, rotate or scale it: ImGuizmo's, for our cameras and transforms, which have one scale for all axes.
class Gizmo {
public:
    enum class Kind { move, turn, scale };

    Kind kind = Kind::move;
    glm::dvec3 pivot{0};  ///< in the model's frame: centre of the handles, of rotation and of scaling

    /// Draws the handles over the picture whose corner is at `low` on the screen, and lets the pointer drag them. Returns whether the transform has changed.
    bool drive(const Camera& camera, glm::ivec2 low, ModelTransform& transform);
    /// Whether the pointer is over a handle or drags one, and whether it drags one; after the last drive().
    bool isOver() const { return over_; }
    bool isUsed() const { return used_; }
    /// Lets go of the handle that is dragged.
    void letGo();

private:
    ModelTransform changed(const ModelTransform& transform, const glm::mat4& matrix) const;

    bool over_ = false, used_ = false;
    ModelTransform before_;  ///< when the handle was grabbed
};

}  // namespace splat::app
