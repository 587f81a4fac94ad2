#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include <splatwright/scene/synth/scene.h>

namespace splat {

/// A procedural scene, as listed by --scene and --help and used by tests.
struct SynthScene {
    std::string_view name;
    std::string_view description;
    synth::Scene (*build)(uint64_t seed);
};

inline constexpr std::array kSynthScenes{
    SynthScene{"garden", "a round table with toys in a garden under an open sky", synth::buildGarden},
    SynthScene{"object", "one toy with transparency around it", synth::buildObject},
};

/// Throws InputError with the known names if there is no such scene.
const SynthScene& findSynthScene(std::string_view name);

inline constexpr int kMaxSynthViews = 10'000;  ///< names have four digits and must sort as they count

struct SynthOptions {
    std::string scene{kSynthScenes[0].name};
    int views = 48;
    int width = 320;   ///< pixels
    int height = 240;  ///< pixels
    uint64_t seed = 0;
};

/// Writes images/NNNN.png, sparse/0 (COLMAP binary) and transforms.json, both describing the same cameras; the same options give the same bytes.
/// Works in a folder beside `out` and renames it at the end. Throws InputError for options out of range and for an `out` that is not empty.
void writeSynthDataset(const std::filesystem::path& out, const SynthOptions& options,
                       const std::function<void(size_t, size_t)>& progress = {});

}  // namespace splat
