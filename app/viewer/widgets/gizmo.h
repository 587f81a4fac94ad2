#pragma once

#include <optional>
#include <span>
#include <vector>

#include <splatwright/scene/cameras/camera.h>
#include <splatwright/scene/gaussians/model_transform.h>

namespace splat::app {

/// Projects a point to pixels of the picture; nothing behind the camera.
std::optional<glm::dvec2> onPicture(const Camera& camera, const glm::dvec3& point);

/// Handles on a model: arrows to move, rings to rotate, or a handle to scale it. Works in pixels of the picture and draws nothing itself.
class Gizmo {
public:
    enum class Kind { move, turn, scale };
    struct Line {
        std::vector<glm::dvec2> points;  ///< pixels of the picture
        int axis = 0;                    ///< 0 to 2; 3: all of them
        bool held = false;               ///< under the pointer, or dragged
    };

    Kind kind = Kind::move;
    double scale = 1;     ///< pixels per point
    glm::dvec3 pivot{0};  ///< in the model's frame: centre of the handles, of rotation and of scaling

    /// The handles in the picture for a model with this transform; `pointer` may hover over one of them.
    std::vector<Line> lines(const Camera& camera, const ModelTransform& transform, const glm::dvec2& pointer) const;

    /// Grabs the handle under the pointer. Returns false if there is none.
    bool grab(const Camera& camera, const ModelTransform& transform, const glm::dvec2& pointer);
    /// The transform since grab(), with the handle moved to the pointer.
    ModelTransform dragged(const Camera& camera, const glm::dvec2& pointer) const;
    void release() { held_.reset(); }
    const ModelTransform& before() const { return held_->transform; }

private:
    struct Held {
        int axis = 0;
        ModelTransform transform;
        glm::dvec2 pointer{0};
    };

    std::vector<Line> handles(const Camera& camera, const ModelTransform& transform) const;

    std::optional<Held> held_;
};

}  // namespace splat::app
