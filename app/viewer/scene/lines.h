#pragma once

#include <imgui.h>

#include <splatwright/scene/cameras/camera.h>

namespace splat::app {

/// Draws lines between points of the world over the camera's picture, which is between low and high on the screen.
class Lines {
public:
    Lines(const Camera& camera, glm::ivec2 low, glm::ivec2 high);
    ~Lines() { list_.PopClipRect(); }
    Lines(const Lines&) = delete;
    Lines& operator=(const Lines&) = delete;

    const Camera& camera() const { return camera_; }
    /// Position on the screen of a pixel of the picture.
    ImVec2 at(const glm::dvec2& pixel) const { return {static_cast<float>(pixel.x + origin_.x), static_cast<float>(pixel.y + origin_.y)}; }
    /// The part of a line in front of the camera. width: points.
    void segment(const glm::dvec3& from, const glm::dvec3& to, ImU32 colour, float width = 1.5F) const;
    /// Words beside a point, on a dark ground.
    void label(const glm::dvec3& point, const char* words, ImU32 colour) const;
    /// Words in the lower right corner of the picture.
    void note(const char* words, ImU32 colour) const;
    ImDrawList& list() const { return list_; }

private:
    const Camera& camera_;
    glm::dvec2 origin_;
    ImVec2 end_;
    ImDrawList& list_;
};

}  // namespace splat::app
