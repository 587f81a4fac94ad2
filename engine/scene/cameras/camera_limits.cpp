#include <splatwright/scene/cameras/camera_limits.h>

#include <algorithm>
#include <cmath>

#include <splatwright/core/error.h>

namespace splat {
namespace {

/// Written so that NaN is outside.
bool within(double value, double least, double most) { return value >= least && value <= most; }

void require(const std::string& prefix, std::string_view name, double value, double least, double most) {
    if (within(value, least, most)) return;
    throw InputError("{}: {} is {}, expected {} to {}", prefix, name, value, least, most);
}

}  // namespace

void checkPixels(std::string_view prefix, uint64_t width, uint64_t height) {
    if (width == 0 || height <= kMostPixels / width) return;
    throw InputError("{}: width and height are {} and {}, expected at most {} pixels in all", prefix, width, height, kMostPixels);
}

void checkLens(const std::string& prefix, const Camera& camera, const Distortion& d) {
    const double width = camera.width, height = camera.height;
    require(prefix, "width in pixels", width, 1, kMaxSide);
    require(prefix, "height in pixels", height, 1, kMaxSide);
    checkPixels(prefix, static_cast<uint64_t>(camera.width), static_cast<uint64_t>(camera.height));
    const double longer = std::max(width, height);
    require(prefix, "focal length fx", camera.fx, kMinFocalLength * longer, kMaxFocalLength * longer);
    require(prefix, "focal length fy", camera.fy, kMinFocalLength * longer, kMaxFocalLength * longer);
    require(prefix, "principal point cx", camera.cx, -kMaxPrincipalPoint * width, (1 + kMaxPrincipalPoint) * width);
    require(prefix, "principal point cy", camera.cy, -kMaxPrincipalPoint * height, (1 + kMaxPrincipalPoint) * height);
    for (size_t i = 0; d.model && i < d.model->distortions(); ++i)
        require(prefix, fmt::format("distortion {}", d.model->names.at(i)), d.parameters.at(i), -kMaxDistortion, kMaxDistortion);
}

bool isRotation(const glm::dmat3& matrix) {
    const glm::dmat3 squared = matrix * glm::transpose(matrix);
    double error = std::abs(glm::determinant(matrix) - 1);
    for (int i = 0; i < 3; ++i) error = std::max(error, glm::distance(squared[i], glm::dmat3(1)[i]));
    return error < 1e-3;
}

bool withinCoordinates(const glm::dvec3& v) {
    const auto one = [](double c) { return within(c, -kMaxCoordinate, kMaxCoordinate); };
    return one(v.x) && one(v.y) && one(v.z);
}

}  // namespace splat
