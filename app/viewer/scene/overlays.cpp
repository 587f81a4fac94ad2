#include "viewer/scene/overlays.h"

#include <cmath>

#include <imgui.h>
#include <glm/gtc/constants.hpp>

#include <splatwright/train/parts/region.h>
#include "viewer/scene/lines.h"
#include "viewer/scene/orientation_cube.h"
#include "viewer/window/style.h"
#include "viewer/window/ui.h"

namespace splat::app {

namespace {

constexpr ImU32 kTrainColour = IM_COL32(90, 170, 240, 200), kTestColour = IM_COL32(245, 150, 60, 220),
                kShapeColour = IM_COL32(255, 220, 90, 255), kRegionColour = IM_COL32(120, 230, 140, 220);
constexpr ImU32 kShapeFill = IM_COL32(255, 220, 90, 40), kPathColour = IM_COL32(120, 230, 140, 220);
constexpr int kPathPoints = 96, kCirclePoints = 64;

/// Draws a camera's image, if shown, and its edges.
void drawFrustum(const Lines& lines, const Frustum& frustum, const gpu::Texture* groundTruth, ImU32 colour) {
    const auto corner = [&](size_t i) { return lines.at(frustum.corners[i % 4]); };
    if (groundTruth) {
        lines.list().AddImageQuad(textureName(*groundTruth), corner(0), corner(1), corner(2), corner(3));
    }
    for (size_t i = 0; i < 4; ++i) {
        lines.list().AddLine(lines.at(frustum.tip), corner(i), colour, points(1.5F));
        lines.list().AddLine(corner(i), corner(i + 1), colour, points(1.5F));
    }
}

/// At most so many points, evenly chosen: more hide the cameras.
constexpr size_t kMostPoints = 20'000;

/// What a preparation has found so far.
void drawPrepared(const Lines& lines, const Workspace& work, const Camera& camera) {
    if (!work.isPreparing()) return;
    const std::vector<Point>& found = work.preparing->scene().points;
    const float half = points(1);
    const size_t step = found.size() / kMostPoints + 1;
    for (size_t i = 0; i < found.size(); i += step) {
        const auto pixel = onPicture(camera, found[i].position);
        if (!pixel) continue;
        const ImVec2 at = lines.at(*pixel);
        const auto& [red, green, blue] = found[i].colour;
        lines.list().AddRectFilled({at.x - half, at.y - half}, {at.x + half, at.y + half}, IM_COL32(red, green, blue, 255));
    }
    const double depth = kFrustumDepth * work.navigator.distance();
    for (const Frustum& frustum : frustaOf(work.preparing->scene().cameras, camera, depth))
        drawFrustum(lines, frustum, nullptr, kTrainColour);
}

void drawShape(const Lines& lines, const Selecting& selecting) {
    const auto& shape = selecting.points();
    if (shape.empty()) return;
    ImDrawList& list = lines.list();
    const float thick = points(1);
    if (selecting.tool == Tool::rectangle && shape.size() == 2) {
        const ImVec2 low = lines.at(glm::min(shape[0], shape[1])), high = lines.at(glm::max(shape[0], shape[1]));
        list.AddRectFilled(low, high, kShapeFill);
        list.AddRect(low, high, kShapeColour, 0, thick);
    }
    if (selecting.tool == Tool::brush)
        for (const glm::vec2& p : shape) list.AddCircle(lines.at(p), selecting.brushRadius, kShapeColour, 0, thick);
    if (selecting.tool == Tool::lasso)
        for (size_t i = 0; i < shape.size(); ++i)
            list.AddLine(lines.at(shape[i]), lines.at(shape[(i + 1) % shape.size()]), kShapeColour, thick);
    if (selecting.tool != Tool::polygon) return;
    for (size_t i = 0; i < shape.size(); ++i) {  // the last side follows the pointer
        list.AddCircleFilled(lines.at(shape[i]), points(3), kShapeColour);
        list.AddLine(lines.at(shape[i]), i + 1 < shape.size() ? lines.at(shape[i + 1]) : ImGui::GetIO().MousePos, kShapeColour, thick);
    }
}

/// Circles around the three axes.
void drawSphere(const Lines& lines, const WorldSphere& sphere) {
    const auto at = [&](int axis, int step) {
        const double turn = glm::two_pi<double>() * step / kCirclePoints;
        glm::dvec3 point(0);
        point[(axis + 1) % 3] = std::cos(turn);
        point[(axis + 2) % 3] = std::sin(turn);
        return sphere.centre + sphere.radius * point;
    };
    for (int axis = 0; axis < 3; ++axis)
        for (int i = 0; i < kCirclePoints; ++i) lines.segment(at(axis, i), at(axis, i + 1), kShapeColour);
}

void drawBox(const Lines& lines, const WorldBox& box, ImU32 colour) {
    const auto corner = [&](int i) {
        const glm::dvec3 side((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1);
        return box.centre + glm::normalize(box.rotation) * (side * box.halfSize);
    };
    for (int i = 0; i < 8; ++i)
        for (const int bit : {1, 2, 4})
            if ((i & bit) == 0) lines.segment(corner(i), corner(i | bit), colour);
}

}  // namespace

void drawOverlays(const Workspace& work, const Camera& camera, glm::ivec2 low, glm::ivec2 high) {
    const Lines lines(camera, low, high);
    if (work.aids.grid) drawGrid(lines, work.navigator);
    if (work.aids.axes) drawAxes(lines, work.navigator);
    for (const Frustum& frustum : work.frusta(camera)) {
        const bool isTest = work.training->views()[frustum.view].isTest;
        drawFrustum(lines, frustum, work.showsThumbnails ? &work.training->thumbnail(frustum.view) : nullptr,
                    isTest ? kTestColour : kTrainColour);
    }
    drawPrepared(lines, work, camera);
    if (const auto region = work.training ? regionOf(work.training->state().settings) : std::nullopt)
        drawBox(lines, {.centre = region->centre, .halfSize = region->halfSize, .rotation = region->rotation}, kRegionColour);
    const CameraPath& path = work.flight;
    if (path.keys().size() >= 2) {
        const auto eye = [&](int i) { return path.at(path.seconds() * i / kPathPoints).eye; };
        for (int i = 1; i <= kPathPoints; ++i) lines.segment(eye(i - 1), eye(i), kPathColour);
    }
    drawShape(lines, work.selecting);
    if (work.selecting.tool == Tool::sphere) drawSphere(lines, work.shapes.sphere());
    if (work.selecting.tool == Tool::box) drawBox(lines, work.shapes.box(), kShapeColour);
    if (work.selecting.tool == Tool::measure) drawMeasured(lines, work.measuring);
}

}  // namespace splat::app
