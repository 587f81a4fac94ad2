#include <splatwright/scene/photographs/undistort.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/ranges.h>

#include <splatwright/core/error.h>
#include <splatwright/scene/datasets/panorama.h>

namespace splat {
namespace {

/// How far a side of the image is from the principal point where its undistorted pixels are nearest and farthest, in pixels of a pinhole camera
/// with the same numbers. Pixels that cannot be undistorted, or that are behind the camera, do not count, as with COLMAP.
struct Side {
    double nearest = std::numeric_limits<double>::infinity(), farthest = -1;

    void add(double distance) {
        nearest = std::min(nearest, distance);
        farthest = std::max(farthest, distance);
    }
};

struct Sides {
    Side left, right, top, bottom;
};

Sides sidesOf(const Lens& lens) {
    const Camera& c = lens.camera();
    const auto straight = [&](double x, double y, const auto& visit) {
        const auto ray = lens.rayOf({x, y});
        if (ray && ray->z > 0) visit(c.fx * ray->x / ray->z, c.fy * ray->y / ray->z);
    };
    Sides sides;
    for (int y = 0; y < c.height; ++y) {
        straight(0.5, y + 0.5, [&](double x, double) { sides.left.add(-x); });
        straight(c.width - 0.5, y + 0.5, [&](double x, double) { sides.right.add(x); });
    }
    for (int x = 0; x < c.width; ++x) {
        straight(x + 0.5, 0.5, [&](double, double y) { sides.top.add(-y); });
        straight(x + 0.5, c.height - 0.5, [&](double, double y) { sides.bottom.add(y); });
    }
    return sides;
}

/// A side of a fisheye's image that is behind the camera, or beyond the reach of its model, counts as infinitely far.
void checkSide(Side& side, const Lens& lens) {
    const Distortion& d = lens.distortion();
    if (side.farthest < 0 && d.model->projection == Projection::angle) side.farthest = side.nearest;
    if (side.nearest > 0 && side.farthest > 0) return;
    std::string parameters;
    for (size_t i = 0; i < d.model->distortions(); ++i) parameters += fmt::format(" {} {},", d.model->names.at(i), d.parameters.at(i));
    const Camera& c = lens.camera();
    throw InputError("distortion{} with focal lengths {}, {} cannot be undone over {}x{} pixels", parameters, c.fx, c.fy, c.width,
                     c.height);
}

/// The relative size of the undistorted image along one axis. This is COLMAP's formula with its half pixel on one side only, kept so that sizes agree
/// with image_undistorter's.
double scaleAlong(double size, double centre, const Side& low, const Side& high, const UndistortOptions& options) {
    const double all = std::min(centre / low.farthest, (size - 0.5 - centre) / high.farthest);
    const double full = std::max(centre / low.nearest, (size - 0.5 - centre) / high.nearest);
    const double blank = options.blankPixels;
    return std::clamp<double>(1 / (all * blank + full * (1 - blank)), UndistortOptions::kMinScale, options.maxScale);
}

/// Clamps a coordinate to the image; NaN becomes 0.
double insideBorder(double coordinate, int size) { return coordinate > 0.5 ? std::min(coordinate - 0.5, size - 1.0) : 0.0; }

}  // namespace

Camera undistortedCamera(const Camera& camera, const Distortion& distortion, const UndistortOptions& options) {
    if (!distortion.any()) return camera;
    if (distortion.panorama()) return faceCamera(camera, distortion.face);
    const Lens lens(camera, distortion);
    Sides sides = sidesOf(lens);
    for (Side* side : {&sides.left, &sides.right, &sides.top, &sides.bottom}) checkSide(*side, lens);
    Camera straight = camera;
    const auto scaled = [](int size, double scale) { return std::max(1, static_cast<int>(scale * size)); };
    straight.width = scaled(camera.width, scaleAlong(camera.width, camera.cx, sides.left, sides.right, options));
    straight.height = scaled(camera.height, scaleAlong(camera.height, camera.cy, sides.top, sides.bottom, options));
    straight.cx = camera.cx * straight.width / camera.width;
    straight.cy = camera.cy * straight.height / camera.height;
    return straight;
}

Surroundings surroundingsOf(glm::dvec2 place, int width, int height, bool around) {
    const double wrapped = around ? place.x + (place.x < 0.5 ? width : 0) : place.x;
    const double x = around ? wrapped - 0.5 : insideBorder(place.x, width), y = insideBorder(place.y, height);
    const int x0 = std::clamp(static_cast<int>(x), 0, width - 1), y0 = static_cast<int>(y);
    return {.x0 = x0,
            .y0 = y0,
            .x1 = around ? (x0 + 1) % width : std::min(x0 + 1, width - 1),
            .y1 = std::min(y0 + 1, height - 1),
            .x = static_cast<float>(x - x0),
            .y = static_cast<float>(y - y0)};
}

Source::Source(const Camera& camera, const Distortion& distortion, const Camera& target)
    : lens_(camera, distortion),
      target_(target),
      turn_(camera.rotation == target.rotation ? glm::dmat3(1) : camera.rotation * glm::transpose(target.rotation)) {}

Source::Place Source::of(int x, int y) const {
    const glm::dvec3 ray((x + 0.5 - target_.cx) / target_.fx, (y + 0.5 - target_.cy) / target_.fy, 1);
    const glm::dvec2 nowhere(std::numeric_limits<double>::quiet_NaN());
    const glm::dvec2 at = lens_.pixelOf(turn_ * ray).value_or(nowhere);
    const Camera& c = lens_.camera();
    const double circle = lens_.distortion().circle * c.width;
    const bool inCircle = circle == 0 || std::hypot(at.x - 0.5 * c.width, at.y - 0.5 * c.height) <= circle + 1;
    return {at, inCircle && at.x >= -1 && at.y >= -1 && at.x <= c.width + 1 && at.y <= c.height + 1};
}

Surroundings Source::around(const Place& place) const {
    return surroundingsOf(place.at, lens_.camera().width, lens_.camera().height, lens_.distortion().panorama());
}

bool Source::seesAll() const {
    for (int x = 0; x < target_.width; ++x) {
        if (!of(x, 0).seen || !of(x, target_.height - 1).seen) return false;
    }
    for (int y = 0; y < target_.height; ++y) {
        if (!of(0, y).seen || !of(target_.width - 1, y).seen) return false;
    }
    return true;
}

ImageF undistortImage(const ImageF& image, const Camera& camera, const Distortion& distortion, const Camera& target) {
    SPLAT_CHECK(image.width == camera.width && image.height == camera.height, "image {}x{}, camera {}x{}", image.width, image.height,
                camera.width, camera.height);
    const Source source(camera, distortion, target);
    ImageF straight(target.width, target.height, image.channels);
    for (int y = 0; y < target.height; ++y) {
        for (int x = 0; x < target.width; ++x) {
            const Surroundings s = source.around(source.of(x, y));
            const auto a = image.at(s.x0, s.y0), b = image.at(s.x1, s.y0), c = image.at(s.x0, s.y1), d = image.at(s.x1, s.y1);
            for (size_t i = 0; i < a.size(); ++i) straight.at(x, y)[i] = s.mean(a[i], b[i], c[i], d[i]);
        }
    }
    return straight;
}

}  // namespace splat
