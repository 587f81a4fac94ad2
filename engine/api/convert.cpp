#include <splatwright/api/convert.h>

#include <cstring>
#include <limits>
#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/scene/cameras/camera_limits.h>

namespace splatwright {

namespace {

/// Copies values between types of the same bits.
template <class To, class From>
std::vector<To> copied(const std::vector<From>& from) {
    static_assert(sizeof(To) == sizeof(From));
    std::vector<To> to(from.size());
    if (!from.empty()) std::memcpy(to.data(), from.data(), from.size() * sizeof(From));
    return to;
}

template <class To, class From>
std::vector<To> moved(std::vector<From>& from) {
    std::vector<To> to = copied<To>(from);
    std::vector<From>().swap(from);
    return to;
}

void requireLength(const char* name, size_t found, size_t expected) {
    if (found != expected) throw splat::InputError("splats: {} has {} elements, expected {}", name, found, expected);
}

void check(const Splats& s) {
    if (s.shDegree < 0 || s.shDegree > splat::kMaxShDegree)
        throw splat::InputError("splats: shDegree is {}, expected 0 to {}", s.shDegree, splat::kMaxShDegree);
    if (s.size() > std::numeric_limits<uint32_t>::max())
        throw splat::InputError("splats: found {}, expected at most {}", s.size(), std::numeric_limits<uint32_t>::max());
    requireLength("logScales", s.logScales.size(), s.size());
    requireLength("rotations", s.rotations.size(), s.size());
    requireLength("logitOpacities", s.logitOpacities.size(), s.size());
    requireLength("sh", s.sh.size(), s.size() * splat::shCoefficients(s.shDegree));
}

}  // namespace

splat::Gaussians engineSplats(const Splats& splats) {
    check(splats);
    splat::Gaussians gaussians;
    gaussians.shDegree = splats.shDegree;
    gaussians.antialiased = splats.antialiased;
    gaussians.means = copied<glm::vec3>(splats.positions);
    gaussians.rotations = copied<glm::vec4>(splats.rotations);
    gaussians.logScales = copied<glm::vec3>(splats.logScales);
    gaussians.logitOpacities = splats.logitOpacities;
    gaussians.sh = copied<glm::vec3>(splats.sh);
    return gaussians;
}

Splats publicSplats(splat::Gaussians gaussians) {
    Splats splats;
    splats.shDegree = gaussians.shDegree;
    splats.antialiased = gaussians.antialiased;
    splats.positions = moved<Vec3f>(gaussians.means);
    splats.logScales = moved<Vec3f>(gaussians.logScales);
    splats.rotations = moved<Vec4f>(gaussians.rotations);
    splats.logitOpacities = std::move(gaussians.logitOpacities);
    splats.sh = moved<Vec3f>(gaussians.sh);
    return splats;
}

splat::Camera engineCamera(const Camera& camera, const std::string& where) {
    splat::Camera result{camera.width, camera.height, camera.fx, camera.fy, camera.cx, camera.cy};
    for (size_t row = 0; row < 3; ++row)
        for (size_t column = 0; column < 3; ++column)
            result.rotation[static_cast<int>(column)][static_cast<int>(row)] = camera.rotation.at(row).at(column);
    result.translation = engineVector(camera.translation);
    splat::checkLens(where, result, {});
    if (camera.width > splat::kMaxRenderedSide || camera.height > splat::kMaxRenderedSide)
        throw splat::InputError("{}: found {}x{} pixels, expected sides of 1 to {}", where, camera.width, camera.height,
                                splat::kMaxRenderedSide);
    if (!splat::isRotation(result.rotation))
        throw splat::InputError("{}: rotation is none, expected orthonormal rows, right-handed", where);
    if (!splat::withinCoordinates(result.translation))
        throw splat::InputError("{}: translation is {}, {}, {}, expected numbers up to {}", where, camera.translation[0],
                                camera.translation[1], camera.translation[2], splat::kMaxCoordinate);
    return result;
}

Camera publicCamera(const splat::Camera& camera) {
    Camera result{camera.width, camera.height, camera.fx, camera.fy, camera.cx, camera.cy};
    for (size_t row = 0; row < 3; ++row)
        for (size_t column = 0; column < 3; ++column)
            result.rotation.at(row).at(column) = camera.rotation[static_cast<int>(column)][static_cast<int>(row)];
    result.translation = publicVector(camera.translation);
    return result;
}

splat::DatasetOptions engineReading(const DatasetOptions& options) {
    using Undistort = splat::UndistortOptions;
    splat::checkDatasetFormat(options.format);
    if (!(options.blankPixels >= 0 && options.blankPixels <= 1))
        throw splat::InputError("dataset: blankPixels is {}, expected 0 to 1", options.blankPixels);
    if (!(options.maxScale >= Undistort::kMinScale && options.maxScale <= Undistort::kMostMaxScale))
        throw splat::InputError("dataset: maxScale is {}, expected {} to {}", options.maxScale, Undistort::kMinScale,
                                Undistort::kMostMaxScale);
    return {.images = options.images,
            .format = options.format,
            .allowOutside = options.allowOutside,
            .undistort = {.blankPixels = static_cast<float>(options.blankPixels), .maxScale = static_cast<float>(options.maxScale)}};
}

template <class T>
splat::Image<T> engineImage(const Image<T>& image) {
    const auto side = [](int length) { return length >= 1 && length <= splat::kMaxSide; };
    if (!side(image.width) || !side(image.height) || (image.channels != 3 && image.channels != 4))
        throw splat::InputError("image: found {}x{} pixels of {} channels, expected sides of 1 to {} and 3 or 4 channels", image.width,
                                image.height, image.channels, splat::kMaxSide);
    splat::checkPixels("image", static_cast<uint64_t>(image.width), static_cast<uint64_t>(image.height));
    splat::Image<T> result;
    result.width = image.width;
    result.height = image.height;
    result.channels = image.channels;
    result.pixels = image.pixels;
    const size_t expected = result.index(0, image.height);
    if (image.pixels.size() != expected) throw splat::InputError("image: found {} values, expected {}", image.pixels.size(), expected);
    return result;
}

template splat::Image<uint8_t> engineImage(const Image<uint8_t>& image);
template splat::Image<float> engineImage(const Image<float>& image);

}  // namespace splatwright
