#pragma once

#include <array>
#include <string_view>

#include <splatwright/scene/cameras/lens.h>

namespace splat {

namespace synth {

/// The same pose and image size with another lens. A fisheye sees 140 degrees across the longer side, a panorama everything.
Lens pinholeLens(const Camera& camera);
Lens fisheyeLens(const Camera& camera);
Lens panoramaLens(const Camera& camera);

}  // namespace synth

/// A kind of cameras: a value of --camera.
struct SynthLens {
    std::string_view name;
    std::string_view description;
    Lens (*of)(const Camera& camera);
};

inline constexpr std::array kSynthLenses{
    SynthLens{"pinhole", "no distortion", synth::pinholeLens},
    SynthLens{"fisheye", "140 degrees across the longer side; COLMAP's OPENCV_FISHEYE", synth::fisheyeLens},
    SynthLens{"equirectangular", "panoramas; COLMAP's EQUIRECTANGULAR", synth::panoramaLens},
};

/// Throws InputError with the known names if there is no such kind.
const SynthLens& findSynthLens(std::string_view name);

}  // namespace splat
