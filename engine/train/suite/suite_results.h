#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <splatwright/train/suite/figures.h>
#include <splatwright/train/suite/statistics.h>

namespace splat {

/// Figures of a suite's runs, and what follows from them. Figures are given by their row in figureTable(); runs that are missing or lack a figure
/// are left out.
class SuiteResults {
public:
    SuiteResults(std::vector<std::string> scenes, std::vector<std::string> presets, std::vector<uint32_t> seeds);

    const std::vector<std::string>& scenes() const { return scenes_; }
    const std::vector<std::string>& presets() const { return presets_; }
    const std::vector<uint32_t>& seeds() const { return seeds_; }

    /// A run by the indices of its scene, preset and seed.
    std::optional<Figures>& run(size_t scene, size_t preset, size_t seed);
    const std::optional<Figures>& run(size_t scene, size_t preset, size_t seed) const;

    /// Over seeds.
    Spread spread(size_t figure, size_t scene, size_t preset) const;
    /// Over seeds, of the mean over scenes; only seeds that have every scene.
    Spread spreadOverScenes(size_t figure, size_t preset) const;
    /// Differences to the preset `base`, paired by seed.
    MeanInterval difference(size_t figure, size_t scene, size_t preset, size_t base) const;
    /// The same for the mean over scenes; only seeds that have every scene in both presets.
    MeanInterval differenceOverScenes(size_t figure, size_t preset, size_t base) const;
    /// The same where each scene has a preset of its own.
    MeanInterval differenceOverScenes(size_t figure, std::span<const size_t> presets, size_t base) const;

private:
    using PerSeed = std::vector<double>;  ///< NaN: none
    PerSeed perSeed(size_t figure, size_t scene, size_t preset) const;
    PerSeed meansPerSeed(size_t figure, std::span<const size_t> presets) const;  ///< a preset for each scene
    std::vector<size_t> everywhere(size_t preset) const { return std::vector(scenes_.size(), preset); }

    std::vector<std::string> scenes_, presets_;
    std::vector<uint32_t> seeds_;
    std::vector<std::optional<Figures>> runs_;
};

}  // namespace splat
