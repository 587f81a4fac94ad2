#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include <splatwright/scene/synth/lenses.h>
#include <splatwright/scene/synth/scene.h>

namespace splat {

/// A procedural scene: a value of --scene.
struct SynthScene {
    std::string_view name;
    std::string_view description;
    synth::Scene (*build)(uint64_t seed);
};

inline constexpr std::array kSynthScenes{
    SynthScene{"garden", "a round table with toys in a garden under an open sky", synth::buildGarden},
    SynthScene{"object", "one toy with transparency around it", synth::buildObject},
    SynthScene{"hall", "a long hall under an open sky; each view sees a few percent of it", synth::buildHall},
    SynthScene{"pavilion", "a pavilion; a chosen share of the views sees its ceiling", synth::buildPavilion},
};

/// Throws InputError with the known names if there is no such scene.
const SynthScene& findSynthScene(std::string_view name);

inline constexpr int kMaxSynthViews = 10'000;  ///< names have four digits, so that they sort by number

struct SynthOptions {
    std::string scene{kSynthScenes[0].name};
    std::string camera{kSynthLenses[0].name};  ///< poses and points do not depend on it
    int views = 48;
    int width = 320;   ///< pixels
    int height = 240;  ///< pixels
    uint64_t seed = 0;
    /// Share of the training views that see the scene's region, percent; every second test view then sees it, too.
    int regionShare = 0;
    bool depths = false;      ///< also writes depth maps, with a scale and shift of its own per image, and the tracks of the points
    float colourChanges = 0;  ///< strength of synth::changeColours in all images but every 8th, which are the test views by default; 0..1
    int transients = 0;       ///< share of the other images that get objects of synth::addTransients, percent
};

/// Writes images/NNNN.png, sparse/0 (COLMAP binary) and transforms.json, both with the same cameras, and depths/NNNN.png if wanted. Deterministic
/// and atomic: the folder is written beside `out` and renamed. Throws InputError if an option is out of range or `out` is not empty.
void writeSynthDataset(const std::filesystem::path& out, const SynthOptions& options,
                       const std::function<void(size_t, size_t)>& progress = {});

}  // namespace splat
