#include <splatwright/scene/synth/lenses.h>

#include <algorithm>
#include <numbers>
#include <string>

#include <splatwright/core/error.h>
#include <splatwright/scene/datasets/panorama.h>

namespace splat {
namespace synth {
namespace {

Lens withPoseOf(const Camera& posed, Camera camera, const Distortion& distortion) {
    camera.rotation = posed.rotation;
    camera.translation = posed.translation;
    return {camera, distortion};
}

}  // namespace

Lens pinholeLens(const Camera& camera) { return camera; }

Lens fisheyeLens(const Camera& camera) {
    constexpr double kHalfView = 70 * std::numbers::pi / 180;
    const Distortion distortion{.model = findLensModel("OPENCV_FISHEYE"), .parameters = {0.03, -0.01, 0.004, -0.001}};
    const glm::dvec2 border = distortion.model->distort(distortion.parameters.data(), {kHalfView, 0});
    Camera wide = camera;
    wide.fx = wide.fy = 0.5 * std::max(camera.width, camera.height) / border.x;
    return withPoseOf(camera, wide, distortion);
}

Lens panoramaLens(const Camera& camera) {
    return withPoseOf(camera, panoramaCamera(camera.width, camera.height), {.model = findLensModel("EQUIRECTANGULAR")});
}

}  // namespace synth

const SynthLens& findSynthLens(std::string_view name) {
    std::string known;
    for (const SynthLens& lens : kSynthLenses) {
        if (lens.name == name) return lens;
        known += fmt::format("{}{}", known.empty() ? "" : ", ", lens.name);
    }
    throw InputError("synth: camera is '{}', expected one of: {}", name, known);
}

}  // namespace splat
