#pragma once

#include <optional>

#include <splatwright/core/image.h>
#include <splatwright/scene/cameras/lens.h>
#include <splatwright/scene/datasets/dataset.h>

namespace splat {

/// The pinhole camera of the undistorted image, as chosen by COLMAP's image_undistorter: same focal lengths and pose, a size between that for which
/// every pixel has a source and that which shows every source, and the same relative principal point. Of a panorama: its face of the cube, with
/// the face's own rotation. Throws InputError if the distortion cannot be undone on the image's border.
Camera undistortedCamera(const Camera& camera, const Distortion& distortion, const UndistortOptions& options = {});

/// The four pixels around a position, and the interpolation weights from the first towards the others, 0..1.
struct Surroundings {
    int x0, y0, x1, y1;
    float x, y;

    /// The weighted mean of values at (x0, y0), (x1, y0), (x0, y1) and (x1, y1).
    float mean(float a, float b, float c, float d) const {
        const float top = a + x * (b - a), bottom = c + x * (d - c);
        return top + y * (bottom - top);
    }
};

/// Neighbours of a position in pixels (centres at +0.5). Positions outside are clamped to the border, NaN to the first corner; those of an image that
/// goes all around horizontally continue on the other side.
Surroundings surroundingsOf(glm::dvec2 place, int width, int height, bool around = false);

/// Where the pixels of an undistorted image come from.
class Source {
public:
    Source(const Camera& camera, const Distortion& distortion, const Camera& target);

    struct Place {
        glm::dvec2 at;  ///< in the distorted image, pixels
        bool seen;      ///< false: a blank pixel, more than one pixel outside the image or its circle, or not within reach of the lens
    };
    /// Of the centre of the target camera's pixel (x, y).
    Place of(int x, int y) const;
    Surroundings around(const Place& place) const;

    /// Whether the lens sees all pixels. It does if it sees those of the border.
    bool seesAll() const;

private:
    Lens lens_;
    Camera target_;
    glm::dmat3 turn_;  ///< from the target's frame to the camera's
};

/// Resamples the image for the target camera, with bilinear interpolation between pixel centres at +0.5.
ImageF undistortImage(const ImageF& image, const Camera& camera, const Distortion& distortion, const Camera& target);

}  // namespace splat
