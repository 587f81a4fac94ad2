#include <splatwright/scene/datasets/frame_intrinsics.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/json_object.h>
#include <splatwright/scene/cameras/camera_limits.h>
#include <splatwright/scene/datasets/panorama.h>
#include <splatwright/scene/images/image_file.h>

namespace splat {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Takes both width and height from the file, or both from the image's header (Blender's files omit them).
void setSize(Camera& camera, const JsonProperties& frame, const fs::path& image) {
    const auto width = frame.number("w"), height = frame.number("h");
    if (width && height) {
        const bool sane = *width >= 1 && *height >= 1 && *width <= kMaxSide && *height <= kMaxSide;
        if (!sane) throw InputError("{}: w and h are {} and {}, expected 1 to {}", frame.prefix(), *width, *height, kMaxSide);
        camera.width = static_cast<int>(std::lround(*width));
        camera.height = static_cast<int>(std::lround(*height));
    } else {
        const ImageSize size = readImageHeader(image).size;
        camera.width = size.width;
        camera.height = size.height;
    }
    checkPixels(frame.prefix(), static_cast<uint64_t>(camera.width), static_cast<uint64_t>(camera.height));
}

std::optional<double> focalLength(const JsonProperties& frame, const char* focal, const char* angle, int side) {
    if (const auto pixels = frame.number(focal)) return pixels;
    if (const auto radians = frame.number(angle)) return 0.5 * side / std::tan(0.5 * *radians);
    return std::nullopt;
}

/// Parameters of the distortion by name, from properties of their own or from nerfstudio's list `distortion_params`. Those missing are 0.
class Parameters {
public:
    explicit Parameters(const JsonProperties& frame) : frame_(frame) {
        const json* list = frame.find("distortion_params");
        if (!list) return;
        const bool fits = list->is_array() && (list->size() == kBrownNames.size() || list->size() == kFisheye624Names.size());
        if (!fits || !std::ranges::all_of(*list, [](const json& value) { return value.is_number(); })) {
            throw InputError("{}: distortion_params is {}, expected {} or {} numbers", frame.prefix(), jsonExcerpt(*list),
                             kBrownNames.size(), kFisheye624Names.size());
        }
        list_ = list->get<std::vector<double>>();
    }

    double operator[](std::string_view name) const {
        if (list_.empty()) return frame_.number(std::string(name).c_str()).value_or(0);
        const std::span<const char* const> names =
            list_.size() == kBrownNames.size() ? std::span<const char* const>(kBrownNames) : kFisheye624Names;
        const auto found = std::ranges::find(names, name);
        return found == names.end() ? 0 : list_[static_cast<size_t>(found - names.begin())];
    }

private:
    static constexpr std::array kBrownNames{"k1", "k2", "k3", "k4", "p1", "p2"};
    static constexpr std::array kFisheye624Names{"k0", "k1", "k2", "k3", "k4", "k5", "p0", "p1", "s0", "s1", "s2", "s3"};

    const JsonProperties& frame_;
    std::vector<double> list_;
};

/// nerfstudio treats the perspective models alike, and k4 as the factor of r^8; k5 and k6 are OpenCV's, and so is k4 beside them.
const LensModel& perspective(const Parameters& parameters) {
    const bool rational = parameters["k5"] != 0 || parameters["k6"] != 0;
    if (parameters["k4"] != 0 && !rational) return kPolynomialLens;
    return *findLensModel(rational || parameters["k3"] != 0 ? "FULL_OPENCV" : "OPENCV");
}

/// nerfstudio's names (CAMERA_MODEL_TO_TYPE in nerfstudio/cameras/cameras.py), then COLMAP's. nerfstudio bends a fisheye's angle by p1 and p2, too.
const LensModel& modelOf(const JsonProperties& frame, const Parameters& parameters) {
    for (const char* property : {"is_equirectangular", "is_latlong", "is_ftheta"}) {
        if (frame.flag(property))
            throw InputError("{}: {} is true, expected a camera_model instead, one of {}", frame.prefix(), property, lensModelNames());
    }
    const std::string name = frame.flag("is_fisheye") ? "OPENCV_FISHEYE" : frame.text("camera_model").value_or("OPENCV");
    if (name == "OPENCV_FISHEYE") return *findLensModel(parameters["p1"] != 0 || parameters["p2"] != 0 ? "THIN_PRISM_FISHEYE" : name);
    const LensModel* model = findLensModel(name == "FISHEYE624" ? "RAD_TAN_THIN_PRISM_FISHEYE" : name);
    if (!model) {
        throw InputError("{}: camera_model is {}, expected one of {} (others need perspective pictures, which ns-render writes)",
                         frame.prefix(), name, lensModelNames());
    }
    return model->id <= findLensModel("OPENCV")->id ? perspective(parameters) : *model;
}

/// nerfstudio gives half the width and the height as a panorama's focal lengths, and its centre as the principal point.
void checkPanorama(const JsonProperties& frame, const Camera& camera) {
    constexpr double kTolerance = 0.01;  // of the side; files round, and some count from the first pixel's centre
    const auto require = [&](const char* property, double expected, int side) {
        const double found = frame.number(property).value_or(expected);
        if (!(std::abs(found - expected) <= std::max(1.0, kTolerance * side)))
            throw InputError("{}: {} is {}, expected {} of a whole panorama of {}x{}", frame.prefix(), property, found, expected,
                             camera.width, camera.height);
    };
    require("fl_x", 0.5 * camera.width, camera.width);
    require("fl_y", camera.height, camera.height);
    require("cx", 0.5 * camera.width, camera.width);
    require("cy", 0.5 * camera.height, camera.height);
}

}  // namespace

Intrinsics frameIntrinsics(const JsonProperties& frame, const fs::path& image) {
    const Parameters parameters(frame);
    Intrinsics intrinsics{.camera = {}, .distortion = {.model = &modelOf(frame, parameters)}};
    auto& [camera, distortion] = intrinsics;
    setSize(camera, frame, image);
    if (distortion.panorama()) {
        checkPanorama(frame, camera);
        camera = panoramaCamera(camera.width, camera.height);
        return intrinsics;
    }
    const auto fx = focalLength(frame, "fl_x", "camera_angle_x", camera.width);
    const auto fy = focalLength(frame, "fl_y", "camera_angle_y", camera.height);
    if (!fx && !fy) throw InputError("{}: fl_x and camera_angle_x are missing, expected one of them", frame.prefix());
    camera.fx = fx ? *fx : *fy;
    camera.fy = fy ? *fy : *fx;
    camera.cx = frame.number("cx").value_or(0.5 * camera.width);
    camera.cy = frame.number("cy").value_or(0.5 * camera.height);
    for (size_t i = 0; i < distortion.model->distortions(); ++i) distortion.parameters.at(i) = parameters[distortion.model->names.at(i)];
    checkLens(frame.prefix(), camera, distortion);
    // Radius in pixels of the circle that a fisheye's photograph shows, around its centre.
    const auto radius = frame.number("fisheye_crop_radius");
    if (!radius || distortion.model->projection != Projection::angle) return intrinsics;
    if (!(*radius > 0 && *radius <= kMaxSide))
        throw InputError("{}: fisheye_crop_radius is {}, expected more than 0 and at most {}", frame.prefix(), *radius, kMaxSide);
    distortion.circle = *radius / camera.width;
    return intrinsics;
}

}  // namespace splat
