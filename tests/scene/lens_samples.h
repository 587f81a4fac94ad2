#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <splatwright/scene/cameras/lens_models.h>

namespace splat::test {

inline Distortion distortionOf(const LensModel& model, const std::vector<double>& parameters) {
    Distortion distortion{.model = &model};
    std::ranges::copy(parameters, distortion.parameters.begin());
    return distortion;
}

/// k1, k2, p1, p2
inline Distortion opencv(const std::vector<double>& parameters) { return distortionOf(*findLensModel("OPENCV"), parameters); }

/// A distortion of each of COLMAP's models as a lens may have it, by id; panoramas have none.
struct LensSample {
    std::string model;
    std::vector<double> parameters;

    Distortion distortion() const { return distortionOf(*findLensModel(model), parameters); }
};
inline const std::vector<LensSample> kLensSamples{
    {"SIMPLE_PINHOLE", {}},
    {"PINHOLE", {}},
    {"SIMPLE_RADIAL", {-0.12}},
    {"RADIAL", {0.1, -0.02}},
    {"OPENCV", {-0.2, 0.03, 0.001, -0.002}},
    {"OPENCV_FISHEYE", {0.03, -0.01, 0.004, -0.001}},
    {"FULL_OPENCV", {0.12, -0.05, 0.001, -0.002, 0.03, 0.05, -0.02, 0.01}},
    {"FOV", {0.9}},
    {"SIMPLE_RADIAL_FISHEYE", {-0.04}},
    {"RADIAL_FISHEYE", {0.02, -0.01}},
    {"THIN_PRISM_FISHEYE", {0.02, -0.01, 0.001, -0.002, 0.003, -0.001, 0.002, -0.003}},
    {"RAD_TAN_THIN_PRISM_FISHEYE", {0.02, -0.01, 0.004, -0.002, 0.0005, -0.0001, 0.001, -0.002, 0.002, -0.001, 0.0015, 0.0005}},
    {"SIMPLE_DIVISION", {-0.15}},
    {"DIVISION", {0.1}},
    {"SIMPLE_FISHEYE", {}},
    {"FISHEYE", {}},
    {"EUCM", {0.55, 1.1}},
    {"EQUIRECTANGULAR", {}},
};

}  // namespace splat::test
