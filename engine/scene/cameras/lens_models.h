#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <glm/glm.hpp>

namespace splat {

/// The coordinates of a ray that a lens model distorts.
enum class Projection : uint8_t {
    plane,     ///< where the ray meets the plane z = 1
    angle,     ///< fisheye: towards that point, at a distance of the ray's angle to the axis in radians
    panorama,  ///< equirectangular: longitude (to the right) and latitude (down) in radians
};

/// A camera model of COLMAP. Parameters are one or two focal lengths, the principal point, then those of the distortion; those of a panorama
/// are its width and height. distort() is 0 at 0 and takes as many parameters as `names` has.
struct LensModel {
    static constexpr size_t kMostNames = 12;
    using Distort = glm::dvec2(const double* parameters, glm::dvec2 point);

    int id;
    std::string_view name;
    size_t focals;  ///< number of focal lengths
    Projection projection = Projection::plane;
    std::array<const char*, kMostNames>
        names{};                 ///< of the distortion's parameters, as COLMAP's and nerfstudio's files call them; then null
    Distort* distort = nullptr;  ///< null: none

    size_t distortions() const;
    size_t parameters() const { return focals + 2 + distortions(); }
};

/// Null for a model that COLMAP does not have.
const LensModel* findLensModel(int id);
const LensModel* findLensModel(std::string_view name);

/// "SIMPLE_PINHOLE, PINHOLE, ...", for messages.
std::string lensModelNames();

/// nerfstudio's OPENCV with k4, which is the factor of r^8 there; FULL_OPENCV divides by 1 + k4 r^2. Source: radial_and_tangential_undistort()
/// in nerfstudio/cameras/camera_utils.py.
extern const LensModel kPolynomialLens;

/// A part of a panorama: a face of the cube around it. Right and left of front, at the same height; up and down adjoin it.
enum class CubeFace : uint8_t { front, right, back, left, up, down };
inline constexpr std::array kCubeFaces{"front", "right", "back", "left", "up", "down"};

/// What a lens does to an image, apart from focal lengths and principal point.
struct Distortion {
    const LensModel* model = nullptr;  ///< null: none
    std::array<double, LensModel::kMostNames> parameters{};
    CubeFace face = CubeFace::front;  ///< which part of a panorama the view shows
    double circle = 0;                ///< radius of the circle around the image's centre that it shows, image widths; 0: it shows all

    bool panorama() const { return model && model->projection == Projection::panorama; }
    /// Whether the image must be resampled for a pinhole camera.
    bool any() const;
    bool operator==(const Distortion&) const = default;
};

}  // namespace splat
