// ImGuizmo's handles with our cameras and transforms, in frames of Dear ImGui without a screen.
#include "viewer/widgets/gizmo.h"

#include <cmath>

#include <gtest/gtest.h>
#include <imgui.h>
#include <glm/gtc/quaternion.hpp>

#include "viewer/scene/frusta.h"
#include "viewer/scene/navigator.h"

namespace splat::app {
namespace {

constexpr glm::uvec2 kSize{640, 480};
constexpr float kOnHandle = 60;  // pixels from the centre, where a handle of 90 points is

glm::dvec2 seen(const Camera& camera, const glm::dvec3& point) { return onPicture(camera, point).value(); }

glm::dvec3 axisOf(int axis) {
    glm::dvec3 direction(0);
    direction[axis] = 1;
    return direction;
}

struct GizmoFrames : testing::Test {
    GizmoFrames() {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.DisplaySize = {static_cast<float>(kSize.x), static_cast<float>(kSize.y)};
        io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
        navigator.frame({.centre = {0, 0, 0}, .radius = 1});
        navigator.orbit(30, 20);
    }
    ~GizmoFrames() override { ImGui::DestroyContext(); }
    GizmoFrames(const GizmoFrames&) = delete;
    GizmoFrames& operator=(const GizmoFrames&) = delete;

    Camera camera() const { return navigator.camera(kSize); }
    void frame(const glm::dvec2& pointer, bool down) {
        ImGuiIO& io = ImGui::GetIO();
        io.AddMousePosEvent(static_cast<float>(pointer.x), static_cast<float>(pointer.y));
        io.AddMouseButtonEvent(0, down);
        ImGui::NewFrame();
        gizmo.drive(camera(), {0, 0}, transform);
        ImGui::EndFrame();
    }
    bool isOver(const glm::dvec2& pointer) {
        frame(pointer, false);
        frame(pointer, false);
        return gizmo.isOver();
    }
    void drag(const glm::dvec2& from, const glm::dvec2& to) {
        ASSERT_TRUE(isOver(from));
        for (int i = 0; i <= 8; ++i) frame(glm::mix(from, to, i / 8.0), true);
        EXPECT_TRUE(gizmo.isUsed());
        frame(to, false);
        EXPECT_FALSE(gizmo.isUsed());
    }
    glm::dvec2 centre() const { return seen(camera(), transformed(gizmo.pivot, transform)); }
    glm::dvec2 along(const glm::dvec3& direction) const {
        return glm::normalize(seen(camera(), transformed(gizmo.pivot, transform) + 0.01 * direction) - centre());
    }

    Navigator navigator;
    Gizmo gizmo;
    ModelTransform transform;
};

TEST_F(GizmoFrames, MatricesProjectAsTheCameraDoes) {
    Camera lens = camera();
    lens.fy = 1.3 * lens.fx;
    lens.cx += 40;
    lens.cy -= 25;
    for (const glm::dvec3 point : {glm::dvec3(0, 0, 0), glm::dvec3(0.3, -0.2, 0.1), glm::dvec3(-0.5, 0.4, 0.6)}) {
        const glm::vec4 clip = projectionMatrix(lens, navigator.distance()) * viewMatrix(lens) * glm::vec4(point, 1);
        const glm::dvec2 pixel((clip.x / clip.w + 1) / 2 * kSize.x, (1 - clip.y / clip.w) / 2 * kSize.y);
        EXPECT_LT(glm::distance(pixel, seen(lens, point)), 1e-2);
        EXPECT_LT(std::abs(clip.z / clip.w), 1);
    }
}

TEST_F(GizmoFrames, AnArrowThatIsDraggedMovesTheModelUnderThePointer) {
    for (int axis = 0; axis < 3; ++axis) {
        transform = {.translation = {0.1, 0.2, 0.1}};
        const ModelTransform before = transform;
        const glm::dvec2 from = centre(), direction = along(axisOf(axis));
        drag(from + double{kOnHandle} * direction, from + (kOnHandle + 20.0) * direction);
        glm::dvec3 step = transform.translation - before.translation;
        EXPECT_GT(step[axis], 0);
        step[axis] = 0;
        EXPECT_LT(glm::length(step), 1e-5) << axis;
        EXPECT_LT(glm::distance(centre(), from + 20.0 * direction), 5);  // the arrow is drawn in perspective
    }
}

/// The largest ring turns the model around the direction of the view.
TEST_F(GizmoFrames, ARingThatIsDraggedTurnsTheModelAlongWithThePointer) {
    gizmo.kind = Gizmo::Kind::turn;
    const glm::dvec2 arm(0.8, 0.6), turned(-0.6, 0.8);  // a quarter, clockwise on the screen
    double radius = 200;
    while (radius > 0 && !isOver(centre() + radius * arm)) radius -= 2;
    ASSERT_GT(radius, 40);
    const glm::dvec3 off = glm::transpose(camera().rotation) * glm::dvec3(0.2, 0, 0);
    const glm::dvec2 before = seen(camera(), transformed(off, transform)) - centre();
    const glm::dvec2 from = centre();
    drag(from + radius * arm, from + radius * turned);
    const glm::dvec2 after = seen(camera(), transformed(off, transform)) - centre();
    EXPECT_GT(before.x * after.y - before.y * after.x, 0) << "clockwise as well";
    EXPECT_LT(std::abs(glm::dot(glm::normalize(before), glm::normalize(after))), 0.2);
    EXPECT_EQ(transform.scale, 1);
}

TEST_F(GizmoFrames, AHandleThatIsDraggedScalesAllAxes) {
    gizmo.kind = Gizmo::Kind::scale;
    for (const double ratio : {1.4, 0.6}) {
        for (int axis = 0; axis < 3; ++axis) {
            transform = {.scale = 2};
            const glm::dvec2 from = centre(), direction = along(axisOf(axis));
            drag(from + double{kOnHandle} * direction, from + ratio * kOnHandle * direction);
            EXPECT_NEAR(transform.scale / 2, ratio, 0.1) << axis;
        }
    }
}

TEST_F(GizmoFrames, ThePivotStaysWhereItIsWhileTheModelTurnsAndGrowsAroundIt) {
    const ModelTransform start{
        .translation = {0.1, 0.2, -0.1}, .rotation = glm::angleAxis(0.4, glm::normalize(glm::dvec3(1, 2, 3))), .scale = 0.7};
    gizmo.pivot = {0.2, -0.3, 0.1};
    const glm::dvec3 pivot = transformed(gizmo.pivot, start);
    for (const auto kind : {Gizmo::Kind::turn, Gizmo::Kind::scale}) {
        gizmo.kind = kind;
        transform = start;
        glm::dvec2 from = centre() + double{kOnHandle} * along(glm::mat3_cast(start.rotation) * axisOf(1));
        for (double radius = 200; kind == Gizmo::Kind::turn && radius > 0 && !isOver(from); radius -= 2)
            from = centre() + radius * glm::dvec2(0.8, 0.6);
        drag(from, from + glm::dvec2(30, 25));
        EXPECT_NE(transform, start);
        EXPECT_LT(glm::distance(transformed(gizmo.pivot, transform), pivot), 1e-9);
    }
}

TEST_F(GizmoFrames, NothingIsGrabbedFarFromAnyHandleOrBehindTheCamera) {
    EXPECT_FALSE(isOver({5, 5}));
    frame({5, 5}, true);
    EXPECT_FALSE(gizmo.isUsed());
    frame({5, 5}, false);
    transform.translation = navigator.eye() + (navigator.eye() - navigator.target());
    EXPECT_FALSE(isOver({320, 240}));
}

}  // namespace
}  // namespace splat::app
