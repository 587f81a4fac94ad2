#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include <splatwright/primitives/radix_sort.h>
#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// What writing splats to a file has cost.
struct ConversionReport {
    double psnr = 0;       ///< dB over the pixels of all views; infinite for identical renders
    double worstPsnr = 0;  ///< of the view that differs most
    uint64_t bytes = 0;    ///< of the file, or of all files of its folder
    uint64_t splats = 0;   ///< in the file

    double bytesPerSplat() const { return static_cast<double>(bytes) / static_cast<double>(splats); }
};

/// Number of views that renders are compared in: on a circle around the splats.
inline constexpr size_t kReportedViews = 8;

/// Compares renders of splats with those of the file that they were written to, as it was read back. Both must hold splats. Sizes are left out.
ConversionReport compareRenders(gpu::Device& device, const primitives::RadixSort& sort, const Gaussians& written,
                                const Gaussians& readBack);

/// Size of a file, or of all files below its folder if the file's name makes a folder a model.
uint64_t bytesOfModel(const std::filesystem::path& file);

nlohmann::json toJson(const ConversionReport& report);

/// Two lines for people.
std::string toText(const ConversionReport& report);

}  // namespace splat
