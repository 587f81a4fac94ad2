#include <splatwright/convert/conversion_report.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <splatwright/core/finite_or_null.h>
#include <splatwright/render/renderer.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/gaussians/extent.h>
#include <splatwright/scene/gaussians/orbit_views.h>
#include <splatwright/scene/gaussians/usable.h>

namespace splat {

namespace {

constexpr ImageSize kSize{400, 300};
constexpr glm::dvec3 kUp(0, -1, 0);  // in the frame of a PLY

std::vector<ImageF> rendersOf(gpu::Device& device, const primitives::RadixSort& sort, const Gaussians& splats,
                              const std::vector<NamedView>& views) {
    GaussianModel model(device, static_cast<uint32_t>(splats.count()));
    model.upload(device, splats);
    Renderer renderer(device, sort);
    std::vector<ImageF> renders;
    for (const NamedView& view : views) renders.push_back(renderer.render(model, view.camera, glm::vec3(0), splats.shDegree));
    return renders;
}

/// Of values as they are shown, 0 to 1.
double squaredError(const ImageF& a, const ImageF& b) {
    double sum = 0;
    for (size_t i = 0; i < a.pixels.size(); ++i) {
        const double difference =
            static_cast<double>(std::clamp(a.pixels[i], 0.0F, 1.0F)) - static_cast<double>(std::clamp(b.pixels[i], 0.0F, 1.0F));
        sum += difference * difference;
    }
    return sum / static_cast<double>(a.pixels.size());
}

double decibels(double squaredError) { return squaredError > 0 ? -10 * std::log10(squaredError) : std::numeric_limits<double>::infinity(); }

}  // namespace

ConversionReport compareRenders(gpu::Device& device, const primitives::RadixSort& sort, const Gaussians& written,
                                const Gaussians& readBack) {
    const auto views = orbitViews(extentOf(usableOnly(written)), kReportedViews, kSize, kUp);
    const std::vector<ImageF> before = rendersOf(device, sort, written, views), after = rendersOf(device, sort, readBack, views);
    double sum = 0, largest = 0;
    for (size_t i = 0; i < views.size(); ++i) {
        const double error = squaredError(before[i], after[i]);
        sum += error;
        largest = std::max(largest, error);
    }
    return {.psnr = decibels(sum / kReportedViews), .worstPsnr = decibels(largest), .splats = readBack.count()};
}

uint64_t bytesOfModel(const std::filesystem::path& file) {
    const auto isName = [&](const char* name) { return file.filename() == name; };
    if (std::ranges::none_of(splatFormats(), [&](const SplatFormat* format) { return std::ranges::any_of(format->folderFiles, isName); }))
        return std::filesystem::file_size(file);
    uint64_t bytes = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(std::filesystem::absolute(file).parent_path()))
        if (entry.is_regular_file()) bytes += entry.file_size();
    return bytes;
}

nlohmann::json toJson(const ConversionReport& report) {
    return {{"psnr", finiteOrNull(report.psnr)},
            {"worst_psnr", finiteOrNull(report.worstPsnr)},
            {"identical", std::isinf(report.psnr)},
            {"views", kReportedViews},
            {"bytes", report.bytes},
            {"splats", report.splats},
            {"bytes_per_splat", report.bytesPerSplat()}};
}

std::string toText(const ConversionReport& report) {
    const std::string pictures =
        std::isinf(report.psnr) ? "identical" : fmt::format("PSNR {:.2f} dB, {:.2f} in the worst view", report.psnr, report.worstPsnr);
    return fmt::format("renders of {} views before and after writing: {}\n{} bytes, {:.2f} per splat\n", kReportedViews, pictures,
                       report.bytes, report.bytesPerSplat());
}

}  // namespace splat
