#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace splat::app {

/// Curves of an earlier run, from its log.jsonl, to compare with.
struct EarlierRun {
    std::string name;  ///< of its folder
    std::vector<uint32_t> steps;
    std::vector<float> losses, splats, milliseconds;
    std::vector<uint32_t> evaluatedSteps;
    std::vector<float> psnr;  ///< dB, after those steps
};

/// Reads a run's folder or its log. Lines that a killed run has left incomplete are skipped; what was rolled back is left out. Throws InputError
/// if no line has a step and a loss.
EarlierRun readEarlierRun(const std::filesystem::path& path);

}  // namespace splat::app
