#include <algorithm>
#include <cmath>

#include <splatwright/core/threads.h>
#include <splatwright/primitives/cdf.h>
#include <splatwright/render/kinds/blobs.h>
#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/shared/training.h>
#include <splatwright/train/densify/picture_settings.h>
#include <splatwright/train/densify/target_blobs.h>
#include <splatwright/train/kinds/blobs.h>
#include <splatwright/train/kinds/picture_results.h>

namespace splat {

namespace {

constexpr uint32_t kWeightUnit = 4096;  // of a difference of one: a sum of differences stays below the largest weight

glm::dvec3 colourAt(const Image8& image, int x, int y) {
    const auto pixel = image.at(std::clamp(x, 0, image.width - 1), std::clamp(y, 0, image.height - 1));
    return glm::dvec3(pixel[0], pixel[1], pixel[2]) / 255.0;
}

/// Weights of pixels, of which a share is the same for all.
std::vector<uint32_t> weightsOf(const Image8& image, double even) {
    std::vector<double> details(static_cast<size_t>(image.width) * static_cast<size_t>(image.height));
    parallelFor(static_cast<size_t>(image.height), [&](size_t row) {
        for (int x = 0, y = static_cast<int>(row); x < image.width; ++x) {
            // Length of the gradient by central differences.
            const glm::dvec3 across = colourAt(image, x + 1, y) - colourAt(image, x - 1, y);
            const glm::dvec3 down = colourAt(image, x, y + 1) - colourAt(image, x, y - 1);
            details[row * static_cast<size_t>(image.width) + static_cast<size_t>(x)] =
                std::sqrt(glm::dot(across, across) + glm::dot(down, down));
        }
    });
    double sum = 0;
    for (const double detail : details) sum += detail;
    const double mean = sum / static_cast<double>(details.size());
    const bool flat = mean == 0 || even == 1;
    std::vector<uint32_t> weights(details.size(), 1);
    for (size_t i = 0; i < details.size() && !flat; ++i)
        weights[i] = static_cast<uint32_t>(std::lround((details[i] + mean * even / (1 - even)) * kWeightUnit));
    return weights;
}

/// Indices of drawn pixels, ascending.
std::vector<uint32_t> drawPixels(gpu::Device& device, const std::vector<uint32_t>& weights, uint32_t draws, uint32_t seed) {
    const primitives::Cdf cdf(device);
    const auto pixels = static_cast<uint32_t>(weights.size());
    const primitives::CdfTable table = cdf.table("first blobs", pixels);
    const gpu::Buffer weightBuffer = device.buffer<uint32_t>("weights of pixels", pixels);
    const gpu::Buffer multiplicities = device.buffer<uint32_t>("draws of pixels", pixels);
    const gpu::Buffer sources = device.buffer<uint32_t>("drawn pixels", draws), seedWord = device.buffer<uint32_t>("seed", 1);
    device.upload(weightBuffer, weights);
    device.upload(seedWord, std::vector{seed});
    device.run("draw first blobs", [&](gpu::Commands& c) {
        cdf.record(c, {weightBuffer, table}, {pixels});
        cdf.recordSystematic(
            c, {.table = table, .seed = {seedWord}, .stream = shared::kGrowthStream, .sources = sources, .multiplicities = multiplicities},
            {draws});
    });
    return device.download<uint32_t>(sources, draws);
}

/// Blobs are placed by systematic draws in proportion to the length of the picture's gradient.
Gaussians firstModel(const KindStart& start) {
    const TrainSettings& settings = start.settings;
    const auto& own = settings.of<PictureSettings>();
    const Image8 image = start.image(0).image;
    const glm::uvec2 size(image.width, image.height);
    const uint32_t count = firstBlobs(settings, size);
    const auto sigma = static_cast<float>(sizeOfNewBlobs(settings, size));
    Blobs blobs;
    blobs.resize(count);
    const std::vector<uint32_t> pixels = drawPixels(start.device, weightsOf(image, own.evenShare), count, settings.seed);
    for (uint32_t i = 0; i < count; ++i) {
        const int x = static_cast<int>(pixels[i] % size.x), y = static_cast<int>(pixels[i] / size.x);
        blobs.centres[i] = glm::vec2(x, y) + 0.5f;
        blobs.factors[i] = {sigma, 0, sigma};
        blobs.colours[i] = own.blend == "sum" ? glm::vec3(0) : glm::vec3(colourAt(image, x, y));
        blobs.opacities[i] = static_cast<float>(settings.initOpacity);
    }
    return storedBlobs(blobs);
}

}  // namespace

extern const TrainedKindRow kTrainedFreeBlobs{
    .name = "free",
    .subject = SettingUse::pictures,
    .model = [](const TrainSettings& settings, glm::uvec2 size) { return pictureKind("free", settings, size); },
    .start = firstModel,
    .recordUpdate = [](gpu::Commands& c, const UpdateJob& job) { recordBlobUpdate(c, job); },
    .splats = flatSplats,
    .results = pictureResults,
    .files = kPictureFiles,
};

}  // namespace splat
