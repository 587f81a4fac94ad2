#include <splatwright/render/view.h>

namespace splat {

namespace {

/// Margin around the image within which the projection's Jacobian is evaluated, as a fraction of the tangent of half the field of view (gsplat).
/// Positions beyond it are clamped, because the affine approximation of perspective diverges there.
constexpr double kFrustumMargin = 0.3;

glm::vec3 row(const glm::dmat3& m, int r) { return {m[0][r], m[1][r], m[2][r]}; }

}  // namespace

shared::ViewParameters viewParameters(const Camera& c) {
    const glm::dvec2 focal(c.fx, c.fy);
    const glm::dvec2 principal(c.cx, c.cy);
    const glm::dvec2 size(c.width, c.height);
    const glm::dvec2 margin = kFrustumMargin * 0.5 * size / focal;
    return {.right = row(c.rotation, 0),
            .down = row(c.rotation, 1),
            .forward = row(c.rotation, 2),
            .translation = c.translation,
            .position = c.position(),
            .focal = focal,
            .principal = principal,
            .ratioMin = -(principal / focal + margin),
            .ratioMax = (size - principal) / focal + margin,
            .size = glm::uvec2(c.width, c.height)};
}

TileGrid tileGrid(uint32_t width, uint32_t height) { return {(width + kTileSize - 1) / kTileSize, (height + kTileSize - 1) / kTileSize}; }

}  // namespace splat
