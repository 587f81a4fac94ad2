#include <algorithm>
#include <cmath>
#include <mutex>

#include "core/error.h"
#include "core/log.h"
#include "core/threads.h"
#include "scene/area_filter.h"
#include "scene/dataset.h"
#include "scene/image_file.h"
#include "scene/masks.h"
#include "scene/undistort.h"

namespace splat {
namespace {

namespace fs = std::filesystem;

// Pixels stay on the 0..255 scale as floats until they are rounded once at the end, so that sums of 8-bit values are exact.

/// A stored image may be a rescaled copy of what the camera describes, each side rounded to whole pixels.
Camera cameraOfStored(const View& view, const Image8& image) {
    const Camera& camera = view.camera;
    const double heightFromWidth = static_cast<double>(camera.height) * image.width / camera.width;
    const double widthFromHeight = static_cast<double>(camera.width) * image.height / camera.height;
    if (std::abs(heightFromWidth - image.height) > 1 && std::abs(widthFromHeight - image.width) > 1) {
        throw InputError("{}: size is {}x{}, expected that of its camera, {}x{}, or a multiple or fraction of it", view.image.string(),
                         image.width, image.height, camera.width, camera.height);
    }
    return resized(camera, image.width, image.height);
}

/// RGB from 3 channels as they are, or from 4 over the background, in the file's own encoding as the reference trainers do.
ImageF composite(const Image8& image, glm::vec3 background) {
    ImageF rgb(image.width, image.height, 3);
    const auto channels = static_cast<size_t>(image.channels);
    for (size_t i = 0; i < rgb.pixels.size() / 3; ++i) {
        const uint8_t* pixel = &image.pixels[i * channels];
        const float alpha = channels == 4 ? static_cast<float>(pixel[3]) / 255 : 1.0f;
        for (size_t c = 0; c < 3; ++c) {
            const float behind = 255 * background[static_cast<int>(c)];
            rgb.pixels[i * 3 + c] = alpha * static_cast<float>(pixel[c]) + (1 - alpha) * behind;
        }
    }
    return rgb;
}

/// The colours with a fourth channel that is filtered as they are.
ImageF withFourth(const ImageF& rgb, const Image8& fourth, size_t channel) {
    ImageF image(rgb.width, rgb.height, 4);
    const auto channels = static_cast<size_t>(fourth.channels);
    for (size_t i = 0; i < rgb.pixels.size() / 3; ++i) {
        std::copy_n(&rgb.pixels[i * 3], 3, &image.pixels[i * 4]);
        image.pixels[i * 4 + 3] = static_cast<float>(fourth.pixels[i * channels + channel]);
    }
    return image;
}

uint8_t roundedByte(float value) { return static_cast<uint8_t>(std::clamp(std::floor(value + 0.5f), 0.0f, 255.0f)); }

int chooseDownscale(const Camera& camera, int wanted) {
    constexpr int kLongestSide = 1600;  // pixels, as the reference trainer's automatic choice
    if (wanted > 0) return wanted;
    int factor = 1;
    while (factor < 8 && std::max(camera.width, camera.height) > kLongestSide * factor) factor *= 2;
    return factor;
}

Camera downscaled(const Camera& camera, int factor) {
    const auto shrink = [&](int size) { return std::max(1, static_cast<int>(std::lround(static_cast<double>(size) / factor))); };
    return resized(camera, shrink(camera.width), shrink(camera.height));
}

Camera straighten(const View& view, const Camera& camera) {
    try {
        return undistortedCamera(camera, view.distortion);
    } catch (const InputError& problem) {
        throw InputError("{}: {}", view.image.string(), problem.what());
    }
}

/// How one photograph is to be read.
struct Reading {
    const View& view;
    fs::path mask;  ///< empty: none
    bool keepAlpha;
    const PhotographOptions& options;
};

/// The colours, and what is to be filtered with them as a fourth channel. Colours that keep their alpha are multiplied by it, so that those of
/// transparent pixels, which mean nothing, do not bleed into others.
ImageF unfiltered(const Image8& stored, const Reading& reading) {
    if (!reading.mask.empty()) return withFourth(composite(stored, reading.options.background), readMask(reading.mask, stored), 0);
    if (reading.keepAlpha && stored.channels == 4) return withFourth(composite(stored, glm::vec3(0)), stored, 3);
    return composite(stored, reading.options.background);
}

/// Takes the filtered channels apart and rounds them once.
Photograph rounded(const Reading& reading, const Camera& camera, const ImageF& image) {
    Photograph photograph{.name = reading.view.name, .camera = camera, .image = Image8(image.width, image.height, 3)};
    const auto channels = static_cast<size_t>(image.channels);
    if (channels == 4) {
        photograph.covers = reading.mask.empty() ? Coverage::alpha : Coverage::mask;
        photograph.coverage = Image8(image.width, image.height, 1);
    }
    for (size_t i = 0; i < image.pixels.size() / channels; ++i) {
        const float* pixel = &image.pixels[i * channels];
        const float opacity = photograph.covers == Coverage::alpha ? std::max(pixel[3], 1e-6f) / 255 : 1.0f;
        for (size_t c = 0; c < 3; ++c) photograph.image.pixels[i * 3 + c] = roundedByte(pixel[c] / opacity);
        if (channels == 4) photograph.coverage.pixels[i] = roundedByte(pixel[3]);
    }
    return photograph;
}

Photograph loadPhotograph(const Reading& reading) {
    const View& view = reading.view;
    Image8 stored = readImage(view.image);
    const Camera camera = cameraOfStored(view, stored);
    const Camera straight = straighten(view, camera);
    const Camera final = downscaled(straight, chooseDownscale(straight, reading.options.downscale));
    const bool sameSize = final.width == straight.width && final.height == straight.height;
    const bool asStored = !view.distortion.any() && sameSize;
    if (stored.channels == 3 && reading.mask.empty() && asStored) return {.name = view.name, .camera = final, .image = std::move(stored)};

    ImageF image = unfiltered(stored, reading);
    stored = {};
    if (view.distortion.any()) image = undistortImage(image, camera, view.distortion, straight);
    if (!sameSize) image = areaFilter(image, final.width, final.height);
    return rounded(reading, final, image);
}

/// Masks of the views, empty paths where there are none.
std::vector<fs::path> wantedMasks(const Dataset& dataset, const std::vector<size_t>& views, const PhotographOptions& options) {
    std::vector<fs::path> masks(views.size());
    if (options.masks) masks = findMasks(dataset, views);
    const auto found = views.size() - static_cast<size_t>(std::ranges::count(masks, fs::path()));
    if (found > 0) spdlog::info("masks: {} of {} photographs have one", found, views.size());
    return masks;
}

}  // namespace

std::vector<Photograph> loadPhotographs(const Dataset& dataset, const std::vector<size_t>& views, const PhotographOptions& options,
                                        const std::function<void(size_t, size_t)>& progress) {
    CHECK(options.downscale >= 0, "{}", options.downscale);
    const std::vector<fs::path> masks = wantedMasks(dataset, views, options);
    const bool anyMask = std::ranges::any_of(masks, [](const fs::path& mask) { return !mask.empty(); });
    if (anyMask && options.keepAlpha)
        spdlog::warn("{}: has masks, so transparent pixels are composited on the fixed background", dataset.path.string());
    std::vector<Photograph> photographs(views.size());
    std::mutex progressMutex;
    size_t done = 0;
    parallelFor(views.size(), [&](size_t i) {
        photographs[i] = loadPhotograph({dataset.views.at(views[i]), masks[i], options.keepAlpha && !anyMask, options});
        const std::scoped_lock lock(progressMutex);
        ++done;
        if (progress) progress(done, views.size());
    });
    return photographs;
}

}  // namespace splat
