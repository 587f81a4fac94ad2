#include "viewer/widgets/gizmo.h"

#include <algorithm>
#include <cmath>

#include <imgui.h>

#include <ImGuizmo.h>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/gtc/type_ptr.hpp>

#include "viewer/window/style.h"

namespace splat::app {

namespace {

constexpr float kLength = 90;  // points of a handle

ImGuizmo::OPERATION operationOf(Gizmo::Kind kind) {
    switch (kind) {
        case Gizmo::Kind::move: return ImGuizmo::TRANSLATE;
        case Gizmo::Kind::turn: return ImGuizmo::ROTATE;
        case Gizmo::Kind::scale: break;
    }
    return ImGuizmo::SCALE;
}

/// The handles at the pivot, with the model's axes and scale.
glm::mat4 matrixOf(const ModelTransform& transform, const glm::dvec3& origin) {
    const glm::dmat4 rotation = glm::mat4_cast(glm::normalize(transform.rotation));
    return glm::scale(glm::translate(glm::dmat4(1), origin) * rotation, glm::dvec3(transform.scale));
}

/// The scale of the axis that was dragged.
double draggedScale(const glm::mat4& matrix, double before) {
    double found = before;
    for (int axis = 0; axis < 3; ++axis) {
        const double scale = glm::length(glm::dvec3(matrix[axis]));
        if (std::abs(std::log(scale / before)) > std::abs(std::log(found / before))) found = scale;
    }
    return std::clamp(found, kLeastScale, kLargestScale);
}

/// Lengths in points, at the display's scale.
void styleHandles() {
    ImGuizmo::Style& style = ImGuizmo::GetStyle();
    style.TranslationLineThickness = style.ScaleLineThickness = points(3);
    style.RotationLineThickness = style.RotationOuterLineThickness = points(2);
    style.TranslationLineArrowSize = style.ScaleLineCircleSize = style.HatchedAxisLineThickness = style.CenterCircleSize = points(6);
    ImGuizmo::AllowAxisFlip(false);
}

}  // namespace

glm::mat4 viewMatrix(const Camera& camera) {
    glm::dmat4 view(camera.rotation);
    view[3] = glm::dvec4(camera.translation, 1);
    return glm::scale(glm::dmat4(1), {1, -1, -1}) * view;
}

glm::mat4 projectionMatrix(const Camera& camera, double distance) {
    const double near = 0.01 * distance, far = 100 * distance;
    glm::dmat4 projection(0);
    projection[0][0] = 2 * camera.fx / camera.width;
    projection[1][1] = 2 * camera.fy / camera.height;
    projection[2] = {1 - 2 * camera.cx / camera.width, 2 * camera.cy / camera.height - 1, (far + near) / (near - far), -1};
    projection[3][2] = 2 * far * near / (near - far);
    return projection;
}

bool Gizmo::drive(const Camera& camera, glm::ivec2 low, ModelTransform& transform) {
    const glm::dvec3 origin = transformed(pivot, transform);
    const double distance = (camera.rotation * origin + camera.translation).z;
    const bool wasUsed = used_;
    over_ = used_ = false;
    if (distance <= 0) return false;  // behind the camera
    styleHandles();
    ImGuizmo::BeginFrame();  // forgets what the pointer was over
    ImGuizmo::SetDrawlist(ImGui::GetBackgroundDrawList(ImGui::GetMainViewport()));
    ImGuizmo::SetRect(static_cast<float>(low.x), static_cast<float>(low.y), static_cast<float>(camera.width),
                      static_cast<float>(camera.height));
    ImGuizmo::SetGizmoSizeClipSpace(2 * points(kLength) / static_cast<float>(camera.width));
    glm::mat4 matrix = matrixOf(transform, origin);
    const glm::mat4 view = viewMatrix(camera), projection = projectionMatrix(camera, distance);
    const bool moved =
        ImGuizmo::Manipulate(glm::value_ptr(view), glm::value_ptr(projection), operationOf(kind), ImGuizmo::WORLD, glm::value_ptr(matrix));
    used_ = ImGuizmo::IsUsing();
    over_ = used_ || ImGuizmo::GetHoveredHandleType() != ImGuizmo::MT_NONE;
    if (used_ && !wasUsed) before_ = transform;
    if (moved) transform = changed(transform, matrix);
    return moved;
}

void Gizmo::letGo() {
    ImGuizmo::Enable(false);
    ImGuizmo::Enable(true);
    over_ = used_ = false;
}

ModelTransform Gizmo::changed(const ModelTransform& transform, const glm::mat4& matrix) const {
    ModelTransform after = transform;
    glm::dvec3 origin = transformed(pivot, transform);
    if (kind == Kind::move) origin = glm::dvec3(matrix[3]);
    if (kind == Kind::scale) after.scale = draggedScale(matrix, before_.scale);
    if (kind == Kind::turn) {
        glm::dmat3 axes(matrix);
        for (int axis = 0; axis < 3; ++axis) axes[axis] = glm::normalize(axes[axis]);
        after.rotation = glm::normalize(glm::quat_cast(axes));
    }
    after.translation += origin - transformed(pivot, after);
    return after;
}

}  // namespace splat::app
