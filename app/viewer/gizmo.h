#pragma once

#include <optional>
#include <span>
#include <vector>

#include "scene/camera.h"
#include "scene/placement.h"

namespace splat::app {

/// Where a point lies in the picture, pixels; nothing behind the camera.
std::optional<glm::dvec2> onPicture(const Camera& camera, const glm::dvec3& point);

/// Handles on a model: arrows that move it, rings that turn it or one that scales it. Works in pixels of the picture and draws nothing itself.
class Gizmo {
public:
    enum class Kind { move, turn, scale };
    struct Line {
        std::vector<glm::dvec2> points;  ///< pixels of the picture
        int axis = 0;                    ///< 0 to 2; 3: all of them
        bool held = false;               ///< under the pointer, or dragged
    };

    Kind kind = Kind::move;
    double scale = 1;     ///< pixels a point
    glm::dvec3 pivot{0};  ///< of the model's own frame: where the handles are, and what it turns and grows around

    /// The handles of a model that is placed so, as they lie in the picture; `pointer` may be over one of them.
    std::vector<Line> lines(const Camera& camera, const Placement& placement, const glm::dvec2& pointer) const;

    /// Takes hold of the handle under the pointer; false where there is none.
    bool grab(const Camera& camera, const Placement& placement, const glm::dvec2& pointer);
    /// The placement with the handle at the pointer; as it was when grabbed, but for that.
    Placement dragged(const Camera& camera, const glm::dvec2& pointer) const;
    void release() { held_.reset(); }
    bool isHeld() const { return held_.has_value(); }
    const Placement& before() const { return held_->placement; }

private:
    struct Held {
        int axis = 0;
        Placement placement;
        glm::dvec2 pointer{0};
    };

    std::vector<Line> handles(const Camera& camera, const Placement& placement) const;

    std::optional<Held> held_;
};

}  // namespace splat::app
